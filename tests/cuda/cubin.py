"""Reads cubins: for each kernel its name and its machine instructions.

A stand-in for NVIDIA's disassembler, which is not part of every toolkit. It needs no GPU. From
sm_75 to sm_121 an instruction has 128 bits. The lowest 9 name the operation, the next 3 say where
its operands come from (register, constant, uniform register, immediate). So 9 bits are enough to
count. All 4096 values of the 12 bits were compared with what nvdisasm 13.5 calls them on each of
these architectures. test_cubin.py compares what it compiles, if nvdisasm is installed.
That comes as a Python package, nvidia-cuda-nvdisasm.
"""

import re
import shutil
import struct
import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple

INSTRUCTION_BYTES = 16
OPERATION_MASK = 0x1ff
NOP = 0x118
CALL_NEAR = 0x944  # all 12 bits: to an address relative to its own, known when it was compiled
# Numbers of the ELF format.
EM_CUDA, SHT_SYMTAB, SHT_NOBITS, STT_FUNC, STO_CUDA_ENTRY = 190, 2, 8, 2, 0x10

# Only what says something about a kernel; any other operation is counted under its number. A
# leading U is the same operation on uniform registers, once for a whole warp.
OPERATIONS = {
    0x109: "POPC", 0x0bf: "UPOPC", 0x012: "LOP3", 0x092: "ULOP3", 0x016: "PRMT", 0x019: "SHF",
    0x010: "IADD3", 0x090: "UIADD3", 0x097: "UIADD3", 0x024: "IMAD", 0x025: "IMAD", 0x027: "IMAD",
    0x011: "LEA", 0x00c: "ISETP", 0x002: "MOV", 0x007: "SEL",
    0x03d: "BMMA", 0x1f2: "BGMMA", 0x037: "IMMA", 0x03c: "HMMA", 0x03f: "DMMA",
    0x023: "FFMA", 0x020: "FMUL", 0x021: "FADD", 0x009: "FMNMX", 0x00b: "FSETP", 0x008: "FSEL",
    0x108: "MUFU",
    0x02b: "DFMA", 0x028: "DMUL", 0x029: "DADD", 0x031: "HFMA2", 0x032: "HMUL2", 0x030: "HADD2",
    0x106: "I2F", 0x112: "I2F", 0x105: "F2I", 0x111: "F2I", 0x104: "F2F", 0x110: "F2F",
    0x181: "LDG", 0x17e: "LDG", 0x186: "STG", 0x17f: "STG", 0x1ae: "LDGSTS",
    0x184: "LDS", 0x188: "STS", 0x03b: "LDSM", 0x183: "LDL", 0x187: "STL", 0x180: "LD", 0x185: "ST",
    0x18a: "ATOM", 0x18b: "ATOM", 0x1a2: "ATOM", 0x1a8: "ATOMG", 0x1a9: "ATOMG", 0x1a3: "ATOMG",
    0x18c: "ATOMS", 0x18d: "ATOMS",
    0x189: "SHFL", 0x006: "VOTE", 0x086: "VOTEU", 0x1c4: "REDUX", 0x11d: "BAR",
    0x143: "CALL", 0x144: "CALL", 0x150: "RET", 0x147: "BRA", 0x14d: "EXIT",
}


def operations(architecture):
    """These numbers mean something else from one architecture to the next."""
    if architecture >= 120:
        return {**OPERATIONS, 0x035: "IADD", 0x036: "VIADD", 0x054: "UFADD", 0x055: "UFFMA",
                0x056: "UFMUL"}
    if architecture >= 100:
        return {**OPERATIONS, 0x036: "VIADD", 0x049: "FFMA2", 0x04a: "FMUL2", 0x04b: "FADD2"}
    if architecture >= 90:
        return {**OPERATIONS, 0x036: "VIADD", 0x035: "HFMA2"}
    if architecture >= 80:
        return {**OPERATIONS, 0x035: "HFMA2"}
    return {**OPERATIONS, 0x036: "HMMA"}


class Kernel(NamedTuple):
    symbol: str  # as ptxas names it
    name: str  # demangled, where c++filt is installed
    # mnemonics in the order of the file, with the functions that the kernel calls behind it
    code: list
    functions: list  # the names of these

    @property
    def counts(self):
        return Counter(self.code)

    def span(self, mnemonic):
        """Counts from the first to the last instruction of this kind.

        If all are in one loop, this is nearly its body.
        """
        at = [index for index, name in enumerate(self.code) if name == mnemonic]
        return Counter(self.code[at[0]:at[-1] + 1] if at else [])


class Cubin(NamedTuple):
    architecture: int
    kernels: list


class Usage(NamedTuple):
    registers: int
    shared_bytes: int  # static
    stack_bytes: int
    spill_bytes: int  # stores and loads, functions that the kernel calls included


def read_cubin(path):
    image = Path(path).read_bytes()
    if len(image) < 64 or image[:5] != b"\x7fELF\x02" or struct.unpack_from("<H", image, 18)[
        0] != EM_CUDA:
        raise ValueError(f"{path}: expected a cubin (a 64-bit ELF file for CUDA)")
    flags, = struct.unpack_from("<I", image, 48)
    # Toolkits from 13 on write ELF ABI version 8, which has the architecture one byte further up.
    architecture = (flags >> 8 if image[8] >= 8 else flags) & 0xff
    if not 75 <= architecture <= 121:
        raise ValueError(f"{path}: sm_{architecture}, expected sm_75 to sm_121")
    names = operations(architecture)
    sections, functions = _sections(image)
    texts = {index: name[len(".text."):] for index, (name, _) in enumerate(sections)
             if name.startswith(".text.")}
    kernels = []
    for (index, symbol), name in zip(texts.items(), demangled(texts.values())):
        called = functions.get(index, [])
        kernels.append(Kernel(symbol, name, _mnemonics(sections[index][1], names, bool(called)),
                              called))
    return Cubin(architecture, kernels)


def _sections(image):
    """All sections, (name, bytes) in their order, and {section: [function that is no kernel]}."""
    table, = struct.unpack_from("<Q", image, 40)
    count, names_index = struct.unpack_from("<HH", image, 60)
    headers = [struct.unpack_from("<IIQQQQI", image, table + 64 * index) for index in range(count)]

    def text(section, offset):
        begin = headers[section][4] + offset
        return image[begin:image.index(b"\0", begin)].decode()

    sections, functions = [], {}
    for name, kind, _, _, offset, size, link in headers:
        body = image[offset:offset + size] if kind != SHT_NOBITS else b""
        sections.append((text(names_index, name), body))
        symbols = struct.iter_unpack("<IBBHQQ", body) if kind == SHT_SYMTAB else []
        for symbol, info, other, section, _, _ in symbols:
            if info & 15 == STT_FUNC and not other & STO_CUDA_ENTRY:
                functions.setdefault(section, []).append(text(link, symbol).rpartition("$")[2])
    return sections, functions


def _mnemonics(body, names, has_functions):
    words = [struct.unpack_from("<H", body, at)[0] & 0xfff
             for at in range(0, len(body), INSTRUCTION_BYTES)]
    # From sm_80 to sm_89 ptxas writes some jumps out of a loop as a CALL of what follows the loop.
    return ["BRA" if word == CALL_NEAR and not has_functions
            else names.get(word & OPERATION_MASK, f"{word:#05x}")
            for word in words if word & OPERATION_MASK != NOP]


def demangled(symbols):
    symbols = list(symbols)
    if not symbols or not shutil.which("c++filt"):
        return symbols
    done = subprocess.run(["c++filt"], input="\n".join(symbols), capture_output=True, text=True,
                          check=True)
    return done.stdout.splitlines()


def short_name(name):
    """name<4, true> from void (anonymous namespace)::name<4, true>(int*, int)."""
    name = name.replace("(anonymous namespace)::", "")
    depth, start = 0, 0
    for index, letter in enumerate(name):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if depth == 0 and letter in " :":
            start = index + 1
        if depth == 0 and letter == "(":
            return name[start:index]
    return name[start:]


def resource_usage(log):
    """From what `nvcc -Xptxas -v` printed: {(symbol, architecture): Usage}."""
    usage = {}
    for entry in re.split(r"(?=Compiling entry function ')", log)[1:]:
        symbol, architecture = re.match(r"Compiling entry function '(.*?)' for 'sm_(\d+)\w*'",
                                        entry).groups()
        usage[symbol, int(architecture)] = Usage(*(
            sum(map(int, re.findall(rf"(\d+) {what}", entry)))
            for what in ["registers", "bytes smem", "bytes stack frame",
                         "bytes spill (?:stores|loads)"]))
    return usage

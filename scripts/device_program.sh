# shellcheck shell=bash
# Finds the GPU, NVIDIA's libraries and the program, and builds the program where none starts. Read by device_check,
# which stands in the root of a bundle or of a checkout and has refuse(), within(), `end` and `temporary`.

export PATH=$PATH:/usr/local/nvidia/bin:/usr/lib/wsl/lib  # where containers may have nvidia-smi
ask_gpu() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | awk 'NR == 1'; }
from_version() { [[ ! -f VERSION ]] || sed -n "s/^$1: //p" VERSION; }

gpu=$(ask_gpu name) || gpu=
nvcc=$(type -P nvcc) && nvcc=$(realpath "$nvcc")

pythons=()
for python in ${VIRTUAL_ENV:+"$VIRTUAL_ENV/bin/python3"} $(type -aP python3 || true) /opt/*/{,*/,.venv/}bin/python3 \
  /usr/bin/python3; do
  [[ ! -x $python || " ${pythons[*]} " == *" $python "* ]] || pythons+=("$python")
done

# Folders with what there is of lib/, include/ and bin/. Python's packages look like many small toolkits; here those
# of the user count too.
toolkits=()
for folder in "${CUDA_HOME:-}" "${CUDA_PATH:-}" "${nvcc:+${nvcc%/*}/..}" /usr/local/cuda /usr/local/cuda-*; do
  [[ -z $folder || ! -d $folder ]] || toolkits+=("$(realpath "$folder")")
done
for python in "${pythons[@]}"; do
  while read -r folder; do toolkits+=("$folder"/nvidia/*/); done < <(
    "$python" -c 'import sys; print("\n".join(filter(None, sys.path)))' 2>/dev/null)
done
toolkits=("${toolkits[@]%/}")
if [[ -z $nvcc ]]; then
  for folder in "${toolkits[@]}"; do [[ -n $nvcc || ! -x $folder/bin/nvcc ]] || nvcc=$folder/bin/nvcc; done
fi

# Where NVIDIA's libraries are, for the loader: first what has the versions that the bundle's module was linked with.
cuda_path=
add_to_cuda_path() {  # LIBRARY...
  local library toolkit folder
  for library in "$@"; do
    for toolkit in "${toolkits[@]}"; do
      for folder in "$toolkit"/{lib64,lib,targets/x86_64-linux/lib}; do
        compgen -G "$folder/$library" >/dev/null || continue
        [[ ":$cuda_path:" == *":$folder:"* ]] || cuda_path+=:$folder
        break
      done
    done
  done
}
read -ra needed < <(from_version 'needs of NVIDIA') || true
add_to_cuda_path "${needed[@]}" 'libcublas.so.*' 'libcudnn.so.*' 'libnvrtc.so.*' 'libnvJitLink.so.*'
for folder in /usr/local/nvidia/lib64 /usr/lib/wsl/lib; do  # the driver's own, in containers
  [[ ! -e $folder/libcuda.so.1 ]] || cuda_path+=:$folder
done

run_program() { env LD_LIBRARY_PATH="$library_path" "$program" "$@"; }

# Whether PROGRAM lists what it has; its answer is in $temporary/list.log, the loader's complaint in `complaint`.
# Also finds the libraries that it starts with: the bundle's, and of those that come with a compiler as many of the
# machine's as will do, since they fit its C library and what is built here.
starts() {
  program=$1
  complaint="there is no program"
  [[ -x $program ]] || return 1
  local folders=("$PWD/lib" "$PWD/lib:$PWD/lib/openmp" "$PWD/lib:$PWD/lib/openmp:$PWD/lib/compiler")
  [[ -d lib ]] || folders=("")
  for library_path in "${folders[@]}"; do
    library_path+=${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}$cuda_path
    library_path=${library_path#:}
    if run_program list >"$temporary/list.log" 2>"$temporary/complaint"; then return; fi
    complaint=$(tail -n 1 "$temporary/complaint")
  done
  return 1
}

runs_on_gpu() { grep -qE '^ *cuda_[^ ]+ +ok$' "$temporary/list.log"; }
why_not_on_gpu() { sed -nE 's/^ *cuda_[^ ]+ +(unavailable|unsupported): //p' "$temporary/list.log" | head -n 1; }

# For what nvcc's own toolkit lacks: Python's packages have no names for a linker, and headers where no compiler looks.
# Makes such names in FOLDER, and sets CPLUS_INCLUDE_PATH, which yields to the toolkit's headers.
link_cuda_packages() {
  local major name toolkit library
  major=$("$nvcc" --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
  mkdir -p "$1"
  for name in "libcublas.so.$major" "libcublasLt.so.$major" libcudnn.so.9; do
    [[ -z $(compgen -G "${nvcc%/*}/../lib*/${name%.*}") ]] || continue
    for toolkit in "${toolkits[@]}"; do
      library=$toolkit/lib/$name
      [[ ! -e $library || -e $1/${name%.*} ]] || ln -sf "$library" "$1/${name%.*}"
    done
  done
  for toolkit in "${toolkits[@]}"; do
    [[ ! -d $toolkit/include ]] || CPLUS_INCLUDE_PATH+=${CPLUS_INCLUDE_PATH:+:}$toolkit/include
    [[ -n ${CUDNN_ROOT:-} || ! -e $toolkit/include/cudnn.h ]] || CUDNN_ROOT=$toolkit
  done
  export CPLUS_INCLUDE_PATH CUDNN_ROOT
}

built_program=$PWD/build/device_check/xnorbench
build_program() {  # WHY
  local folder=${built_program%/*} glibc needed words capability
  needed=$(from_version 'needs glibc')
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null || true)
  glibc=${glibc#glibc }
  [[ -z $needed || $(printf '%s\n' "$needed" "$glibc" | sort -V | head -n 1) == "$needed" ]] || refuse \
    "this machine has glibc $glibc and the bundle's libraries need $needed; pack it on an older distribution"
  command -v cmake >/dev/null || refuse "$1; there is no cmake to build it here"
  echo "Building here, with what this machine has ($1) ..."
  mkdir -p "$folder"
  words=(-S . -B "$folder" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF)
  [[ ! -f prefix/packages.cmake ]] || words=(-C prefix/packages.cmake "${words[@]}")
  ! command -v ninja >/dev/null || words+=(-G Ninja)
  if [[ -n $gpu && -n $nvcc ]]; then
    link_cuda_packages "$folder/cuda"
    capability=$(ask_gpu compute_cap) || capability=native
    words+=(-DXNORBENCH_CUDA=ON "-DXNORBENCH_NVCC=$nvcc" "-DXNORBENCH_CUDA_ARCHITECTURES=${capability/./}"
      "-DCMAKE_LIBRARY_PATH=$folder/cuda")
  else
    words+=(-DXNORBENCH_CUDA=OFF)
  fi
  # A repository that the bundle lies in is not where its sources are from.
  [[ ! -f VERSION ]] || export GIT_CEILING_DIRECTORIES="${PWD%/*}"
  if ! within $(((end - SECONDS) / 2)) bash -c 'cmake "${@:3}" && cmake --build "$1" --parallel "$2"' - "$folder" \
    "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" "${words[@]}" >"$folder/build.log" 2>&1; then
    grep -m 1 -A 5 -E 'CMake Error|not found|error:|undefined reference' "$folder/build.log" >&2 ||
      tail -n 5 "$folder/build.log" >&2
    refuse "building it here failed too, see $folder/build.log ($1)"
  fi
  starts "$built_program" || refuse "what was built here does not start: $complaint"
}

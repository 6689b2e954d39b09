"""Runs a folder's Python tests for ctest. The exit status is 77 if every test was skipped.

    python3 -I tests/python_tests.py FOLDER [PATTERN]
"""
import sys
import unittest

SKIPPED = 77  # SKIP_RETURN_CODE in tests/CMakeLists.txt


def main(folder, pattern="test_*.py"):
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.discover(folder, pattern))
    if not result.wasSuccessful():
        return 1
    for reason in dict.fromkeys(reason for _, reason in result.skipped):
        print(f"skipped: {reason}")
    # A class that is skipped as a whole counts as one test skipped and none run.
    if result.skipped and len(result.skipped) >= result.testsRun:
        return SKIPPED
    if not result.testsRun:
        print(f"{folder}: no tests in {pattern}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

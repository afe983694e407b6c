# SPDX-License-Identifier: Apache-2.0
"""Build the package: CMake compiles the extension module with the library inside (python/CMakeLists.txt).

Everything that is made lies in build/python of the repository. UPTACK_CMAKE_FLAGS are added to CMake's.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "python"


def version() -> str:
    """The version that include/uptack/base.h states."""
    header = (ROOT / "include" / "uptack" / "base.h").read_text()
    return ".".join(re.findall(r"#define UT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)[:3])


class CMakeBuild(build_ext):
    """Compile with CMake instead of setuptools, so that flags and sources are those of the library."""

    def build_extension(self, extension: Extension) -> None:
        work = BUILD / "cmake"
        python = getattr(sys, "_base_executable", sys.executable)  # an environment has no headers of its own
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        options = ["CLI", "TESTS", "BENCH"]
        configure = [
            "cmake", "-S", str(ROOT), "-B", str(work), *generator, "-DCMAKE_BUILD_TYPE=Release",
            "-DUPTACK_PYTHON=ON", "-DUPTACK_INSTALL=OFF", "-DUPTACK_HDF5=OFF", "-DUPTACK_WERROR=OFF",
            *(f"-DUPTACK_BUILD_{name}=OFF" for name in options), f"-DPython3_EXECUTABLE={python}",
            *shlex.split(os.environ.get("UPTACK_CMAKE_FLAGS", "")),
        ]  # fmt: skip
        subprocess.run(configure, check=True, stdout=sys.stderr)
        subprocess.run(["cmake", "--build", str(work), "--target", "uptack_python"], check=True, stdout=sys.stderr)
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(work / "python" / "uptack" / "_core.abi3.so", target)
        self.run_strip(target)

    @staticmethod
    def run_strip(path: Path) -> None:
        """Leave out the names of private functions, which take half of the file."""
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", str(path)], check=True)


os.chdir(HERE)
(BUILD / "setuptools").mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    ext_modules=[Extension("uptack._core", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": CMakeBuild},
    options={
        "build": {"build_base": str(BUILD / "setuptools")},
        "egg_info": {"egg_base": str(BUILD / "setuptools")},
        "bdist_wheel": {"py_limited_api": "cp311"},
    },
)

# SPDX-License-Identifier: Apache-2.0
# Short names for CMake commands: CMakeLists.txt and CMakePresets.json define the builds.
.NOTPARALLEL:
.PHONY: all demo gallery test bench bench-more bench-counts check deb page page-test page-pictures python python-test clean

# build/uptack, build/libuptack.a, build/libuptack.so, the tests and the benchmarks
all:
	@tools/deps --check build
	@mkdir -p build
	@cmake --preset release >build/configure.log
	@cmake --build build

# examples of the command line, which is all that is built
demo:
	@tools/deps build
	@mkdir -p build
	@cmake --preset release >build/configure.log
	@cmake --build build --target uptack_cli
	@tools/demo

# docs/gallery: a picture, the command, the equations and the numbers of every scene of the papers
gallery:
	@tools/deps build
	@mkdir -p build
	@cmake --preset release >build/configure.log
	@cmake --build build --target uptack_cli
	@tools/gallery

# all tests of the release build
test:
	@tools/deps test
	@tools/deps fclib || echo "test: going on without the tests of FCLIB files"
	@$(MAKE) --no-print-directory all
	@tools/test-summary build

# one table: uptack beside other engines and solvers, growth; it says which of them cannot be installed.
# `make bench ARGS=--quick` is shorter; ARGS are those of tools/bench
bench:
	@tools/deps build
	@tools/deps bench || echo "bench: going on without the peers that are missing"
	@tools/deps bench-npm || echo "bench: going on without the engines of npm that are missing"
	@$(MAKE) --no-print-directory all
	@tools/bench $(ARGS)

# the other benchmarks: tables of collision, adaptive steps, loading, and all solvers at all sizes
bench-more:
	@tools/deps build
	@tools/deps bench || echo "bench: going on without the peers that are missing"
	@$(MAKE) --no-print-directory all
	@for b in collision adaptive load lcp coulomb; do \
		echo "== bench_$$b"; build/bench/bench_$$b || exit 1; \
	done

# instructions per step of eight scenes beside the committed ones
bench-counts:
	@tools/deps build counts
	@mkdir -p build
	@cmake --preset release >build/configure.log
	@cmake --build build --target uptack_cli
	@tools/bench-counts

# format, layers, warnings of two compilers, clang-tidy, tests with the sanitizers
check:
	@tools/deps check
	@tools/deps fclib || echo "check: going on without the tests of FCLIB files"
	@tools/check.sh

# the Python package as a wheel, build/python/uptack-*.whl
python:
	@tools/deps python
	@tools/python-test wheel

# tests of the Python package
python-test:
	@tools/deps python
	@mkdir -p build
	@cmake --preset release >build/configure.log
	@cmake --build build --target uptack_cli
	@tools/python-test unit
	@tools/python-test types
	@$(MAKE) --no-print-directory python
	@tools/python-test install

# Debian packages of the command line, the libraries and the Python package
deb:
	@tools/deps build fclib python
	@mkdir -p build/debian
	@cmake --preset debian >build/debian/configure.log
	@cmake --build build/debian
	@rm -rf build/debian/packages
	@cd build/debian && cpack >cpack.log 2>&1 || { cat cpack.log; exit 1; }
	@ls build/debian/packages/*.deb

# the page with the engine inside, in build/page
page:
	@tools/deps build wasm page
	@tools/page

# tests of the page's engine in Node, and of the page in Chromium
page-test:
	@tools/deps build browser
	@$(MAKE) --no-print-directory page
	@mkdir -p build
	@cmake --preset release >build/configure.log
	@cmake --build build --target uptack_cli
	@node apps/web/test/run.mjs $(ARGS)

# pictures of the page for the documents: docs/pictures/page-*.jpg
page-pictures:
	@tools/deps build browser
	@$(MAKE) --no-print-directory page
	@node tools/page-pictures.mjs docs

clean:
	rm -rf build

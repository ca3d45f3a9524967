# Two commands to start: `make demo` and `make test`. Both install what is missing first; see tools/setup.

# A LibTorch unit takes a gigabyte to compile.
jobs := $(shell nproc)

.PHONY: demo test bench build configure setup asan format clean help

demo: configure
	@echo "demo: compiling the program (about 9 minutes on two cores the first time)"
	@cmake --build --preset cpu -j $(jobs) --target rfs_program
	build/cpu/rfs demo

test: build
	ctest --preset cpu

bench: build
	cmake --build --preset cpu -j $(jobs) --target rfs_step_benchmark
	tools/bench

build: configure
	@echo "build: compiling (about 13 minutes on two cores the first time)"
	@cmake --build --preset cpu -j $(jobs)

configure: setup
	@cmake --preset cpu -Wno-dev > build-configure.log 2>&1 || { cat build-configure.log; rm -f build-configure.log; exit 1; }
	@rm -f build-configure.log

setup:
	@tools/setup

asan: setup
	cmake --preset asan -Wno-dev
	cmake --build --preset asan -j $(jobs)
	ctest --preset asan

format:
	clang-format -i $$(git ls-files '*.h' '*.cpp')

clean:
	rm -rf build

help:
	@echo "make demo    two small models, a figure and a page: see it work"
	@echo "make test    build and run every test"
	@echo "make bench   a training step here and in plain PyTorch, in one run"
	@echo "make asan    the tests under address and undefined-behaviour sanitizers"
	@echo "make format  clang-format over the tree"
	@echo "make clean   remove build/ (runs/, .deps and .venv stay)"

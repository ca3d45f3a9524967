# Start with `make demo` and `make test`. Both first install what is missing; see tools/setup.

# A file that includes LibTorch takes a gigabyte of memory to compile.
jobs := $(shell nproc)
# RFS_WERROR=ON makes warnings errors, as CI does.
configure = cmake --preset $(1) -Wno-dev $(if $(RFS_WERROR),-DRFS_WERROR=$(RFS_WERROR)) $(2) > build-configure.log 2>&1 \
	|| { cat build-configure.log; rm -f build-configure.log; exit 1; }; rm -f build-configure.log

.PHONY: demo test bench clang asan tsan docs format tidy clean help

demo:
	@tools/setup
	@$(call configure,cpu)
	@echo "demo: compiling the program (about 3 minutes on two cores the first time)"
	@cmake --build --preset cpu -j $(jobs) --target rfs_program
	build/cpu/rfs demo

test:
	@tools/setup --full
	@$(call configure,cpu)
	@echo "test: compiling the program and its tests (about 6 minutes on two cores the first time)"
	@cmake --build --preset cpu -j $(jobs)
	ctest --preset cpu -j $(jobs)

bench:
	@tools/setup --full
	@$(call configure,cpu)
	cmake --build --preset cpu -j $(jobs) --target rfs_program rfs_step_benchmark
	tools/bench

# All tests with another compiler (for example CLANG=clang++-16) or with sanitizers.
clang asan tsan:
	@tools/setup --full
	@$(call configure,$@,$(if $(CLANG),-DCMAKE_CXX_COMPILER=$(CLANG)))
	cmake --build --preset $@ -j $(jobs)
	ctest --preset $@ -j $(jobs)

docs:
	@tools/setup --docs
	@tools/make_docs

format:
	@tools/check_format --fix

# Needs clang++-16 and clang-tidy-16. Only the folders without LibTorch, because the others take hours.
tidy:
	@$(call configure,tidy)
	@cmake --build --preset tidy --target rfs_commit
	@echo $(wildcard $(patsubst %,rfs/%/*.cpp,core records text corpus tasks benchmarks report positions)) | \
		xargs -P $(jobs) -n 4 clang-tidy-16 -p build/tidy --quiet --warnings-as-errors='*'

clean:
	rm -rf build

help:
	@echo "make demo    train two small models and draw a figure and a page"
	@echo "make test    build and run all tests except the slow pip install one"
	@echo "make bench   measure a training step here and in plain PyTorch"
	@echo "make clang   all tests, compiled with clang++"
	@echo "make asan    all tests under the address and undefined-behaviour sanitizers"
	@echo "make tsan    the tests of threads under the thread sanitizer"
	@echo "make docs    build the documentation site, build/site/index.html"
	@echo "make format  run clang-format on all files"
	@echo "make tidy    run clang-tidy on the folders without LibTorch"
	@echo "make clean   remove build/ (keeps runs/, .deps and .venv)"

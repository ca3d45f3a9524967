# A small image with the CPU program:
#
#   docker build -t rfs --build-arg RFS_COMMIT=$(git rev-parse --short=12 HEAD) .
#   docker run --rm -v "$PWD:/work" --user "$(id -u):$(id -g)" rfs rfs demo
#
# By default, pip installs the CUDA build of torch. --build-arg PIP_EXTRA_INDEX_URL=URL adds an index with CPU builds, which are
# smaller.

FROM debian:12-slim AS tools
ARG PIP_EXTRA_INDEX_URL=
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates git make && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/rfs
# Copies only the script, so that packages and LibTorch are only installed again if it changes.
COPY tools/setup tools/setup
RUN tools/setup && rm -rf /var/lib/apt/lists/* /root/.cache

# For .devcontainer: adds what the tests and other compilers need. The source is mounted, not copied.
FROM tools AS dev
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends \
      clang-16 clang-format-14 clang-tidy-16 doxygen gdb libomp-16-dev libopenmpi-dev openmpi-bin openssh-client python3-dev \
    && rm -rf /var/lib/apt/lists/* && useradd --create-home --shell /bin/bash --uid 1000 dev
# Makes the Python with torch the active one, so that tools/setup does not download LibTorch again.
ENV PATH=/opt/rfs/.venv/bin:$PATH
USER dev

FROM tools AS build
ARG RFS_COMMIT=unknown
COPY . .
RUN cmake --preset cpu -Wno-dev -DRFS_TESTS=OFF && cmake --build --preset cpu -j "$(nproc)" \
    && cmake --install build/cpu --prefix /opt/rfs/image/usr/local
# Copies only those libraries of LibTorch that the program loads, to the same path.
RUN ldd image/usr/local/bin/rfs | awk '$3 ~ /\/[.]venv\// {print $3}' | xargs cp --parents -L -t image

FROM debian:12-slim
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends \
      fonts-dejavu-core gnuplot-nox libarchive13 libgomp1 libpcre2-8-0 libsentencepiece0 libstdc++6 \
    && rm -rf /var/lib/apt/lists/* && useradd --create-home --uid 1000 rfs && install -d -o rfs /work
COPY --from=build /opt/rfs/image /
RUN rfs --version
USER rfs
WORKDIR /work
CMD ["rfs", "--help"]

#!/usr/bin/env bash
# Compares the inner loops on ARM, under an emulator, with those of this machine: the same bits, from the same
# input, of every variant. Needs clang, and of Debian gcc-aarch64-linux-gnu and qemu-user.
set -euo pipefail
cd "$(dirname "$0")/../../.."
build=${1:-.build-kernels}
mkdir -p "$build"
sources=(Tests/Live/KernelProgram/kernels.c Sources/Effect/CSlitScanKernels/*.c Sources/Effect/{CPagedMemory,CWorkerPool}/*.c)
options=(-O2 -Wall -Werror -ISources/Effect/{CPagedMemory,CSlitScanKernels,CWorkerPool}/include -lm -pthread)

clang "${sources[@]}" "${options[@]}" -o "$build/native"
clang --target=aarch64-linux-gnu "${sources[@]}" "${options[@]}" -o "$build/aarch64"
qemu-aarch64 -L /usr/aarch64-linux-gnu "$build/aarch64" >"$build/aarch64.txt"
for variant in 0 1 2; do
  "$build/native" "$variant" >"$build/native.txt"
  diff "$build/native.txt" "$build/aarch64.txt" || {
    echo "The inner loops give other bits on ARM than variant $variant here." >&2
    exit 1
  }
done
echo "$(wc -l <"$build/aarch64.txt") outputs are the same on ARM."

#!/bin/sh
# Runs all tests under a sanitizer: sanitize.sh thread|address.
# The programs that the tests start are built with it as well, and end with a failure of their own
# where it finds something.
set -eu
cd "$(dirname "$0")/.."

# What a program holds when it ends by exit() counts as a leak; the tests are about everything else.
# What is said of glibc's allocator (LargeBlocksTests) is skipped: a sanitizer brings its own.
export ASAN_OPTIONS=detect_leaks=0
export TSAN_OPTIONS="suppressions=$PWD/Tests/thread-sanitizer.txt"

.ci/build --build-tests --sanitize="$1" --scratch-path ".build-$1"
exec swift test --skip-build --sanitize="$1" --scratch-path ".build-$1"

#!/bin/sh
# Runs a fuzz target: run.sh pictures|keys|requests|heads|multipart|pages SECONDS. Needs Swift on Linux, as everything here.
# What makes it fail is written to .build/fuzz/TARGET-crash-*; give that file as a third argument
# to run it alone.
set -eu
cd "$(dirname "$0")/../.."

target=$1 seconds=$2 input=${3:-}
case $target in
pictures) entry=DecodePicture modules="MarketModel DispatchBridge PictureKit"
  libraries="-lturbojpeg -lpng16 -lwebp -lgif" seeds=Tests/Fixtures/Pictures ;;
keys) entry=DecodeKeys modules="SafeText TerminalKit"
  libraries="-lutf8proc -lncursesw -ltinfo" seeds= ;;
requests) entry=ReadRequest modules="MarketModel MarketAPI" libraries= seeds=Tests/Fixtures/Requests ;;
heads) entry=ReadHeads modules="MarketModel MarketAPI MarketServer" libraries= seeds=Tests/Fixtures/Heads ;;
multipart) entry=ReadForm modules="MarketModel MarketAPI" libraries= seeds=Tests/Fixtures/Forms ;;
pages) entry=ReadPage modules="MarketModel MarketAPI" libraries= seeds=Tests/Fixtures/Pages ;;
*) echo "run.sh: no target $target" >&2; exit 2 ;;
esac

out=.build/fuzz
mkdir -p $out/$target-corpus
includes="-I $out"
for module in Modules/*/; do includes="$includes -I $module"; done
flags="-swift-version 6 -package-name openmarket -O -sanitize=fuzzer,address -parse-as-library
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility"

objects=
for module in $modules; do
  # shellcheck disable=SC2046,SC2086
  swiftc $flags $includes -wmo -module-name $module -emit-module-path $out/$module.swiftmodule \
    -emit-object -o $out/$module.o $(find Sources/$module -name '*.swift')
  objects="$objects $out/$module.o"
done
# shellcheck disable=SC2086
swiftc $flags $includes Tests/Fuzz/$entry.swift $objects $libraries -o $out/$target

# A crash is reported by libFuzzer; Swift's own reporter would wait for a terminal. The standard
# library's caches count as leaks.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
if [ -n "$input" ]; then exec $out/$target "$input"; fi
exec $out/$target -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 \
  -artifact_prefix=$out/$target- $out/$target-corpus $seeds

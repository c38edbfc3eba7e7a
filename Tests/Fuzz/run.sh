#!/bin/sh
# Runs a fuzz target: run.sh pictures|keys|requests|multipart|pages SECONDS. Needs Swift on Linux, as everything here.
# What makes it fail is written to .build/fuzz/TARGET-crash-*; give that file as a third argument
# to run it alone.
set -eu
cd "$(dirname "$0")/../.."

target=$1 seconds=$2 input=${3:-} natives=
case $target in
pictures) entry=DecodePicture modules="MarketModel DispatchBridge PictureKit"
  libraries="-lturbojpeg -lpng16 -lwebp -lgif" seeds=Tests/Fixtures/Pictures ;;
keys) entry=DecodeKeys modules="SafeText TerminalKit" natives=CTerminalGuard
  libraries="-lutf8proc -lncursesw -ltinfo" seeds= ;;
requests) entry=ReadRequest modules="MarketModel MarketAPI" libraries= seeds=Tests/Fixtures/Requests ;;
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
# Targets of C have no module map of their own in the package: SwiftPM makes one, and so does this.
for module in $natives; do
  mkdir -p "$out/$module"
  printf 'module %s { umbrella "%s" export * }\n' "$module" "$PWD/Modules/$module/include" \
    > "$out/$module/module.modulemap"
  includes="$includes -I $out/$module"
  clang -O2 -c "Modules/$module"/*.c -I "Modules/$module/include" -o "$out/$module.o"
  objects="$objects $out/$module.o"
done
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

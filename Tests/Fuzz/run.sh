#!/bin/sh
# Runs a fuzz target: run.sh pictures|keys|requests|heads|multipart|pages|store SECONDS. Needs Swift on
# Linux, as everything here.
# What makes it fail is written to .build/fuzz/TARGET-crash-*; give that file as a third argument
# to run it alone.
set -eu
cd "$(dirname "$0")/../.."

target=$1 seconds=$2 input=${3:-} natives=CResources options=
case $target in
pictures) entry=DecodePicture modules="TextCoding SafeText MarketModel DispatchBridge PictureKit"
  libraries="-lturbojpeg -lpng16 -lwebp -lgif -lutf8proc" seeds=Tests/Fixtures/Pictures ;;
keys) entry=DecodeKeys modules="Posix TextCoding SafeText TerminalKit" natives="CResources CTerminalGuard CFileBirth"
  libraries="-lutf8proc -lncursesw -ltinfo" seeds=Tests/Fixtures/Keys ;;
requests) entry=ReadRequest modules="TextCoding SafeText MarketModel MarketAPI" libraries=-lutf8proc
  seeds=Tests/Fixtures/Requests ;;
heads) entry=ReadHeads natives="CResources CFileBirth"
  modules="Posix TextCoding SafeText MarketModel MarketAPI MarketStrings MarketPages MarketServer"
  libraries=-lutf8proc seeds=Tests/Fixtures/Heads ;;
multipart) entry=ReadForm modules="TextCoding SafeText MarketModel MarketAPI" libraries=-lutf8proc
  seeds=Tests/Fixtures/Forms ;;
pages) entry=ReadPage modules="TextCoding SafeText MarketModel MarketAPI" libraries=-lutf8proc
  seeds=Tests/Fixtures/Pages ;;
store) entry=VisitMarket natives="CResources CFileBirth"
  modules="Posix TextCoding SafeText DispatchBridge MarketModel SQLiteKit StoreCore MarketStore
    MarketAPI MarketStrings MarketPages MarketServer ForgedMarkets"
  libraries="-lsqlite3 -lsodium -lutf8proc" seeds=
  # Each byte chooses something, so that long inputs are worth trying from the start.
  options="-len_control=0 -max_len=64" ;;
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
changed=
for module in $modules; do
  folder=$(find Sources Tests -mindepth 2 -maxdepth 2 -type d -name "$module")
  objects="$objects $out/$module.o"
  # Targets share modules: what nothing has changed beneath is as the last one left it.
  [ -e $out/$module.o ] &&
    [ -z "$changed$(find $folder -newer $out/$module.o -type f)" ] && continue
  changed=yes
  # shellcheck disable=SC2046,SC2086
  swiftc $flags $includes -wmo -module-name $module -emit-module-path $out/$module.swiftmodule \
    -emit-object -o $out/$module.o $(find $folder -name '*.swift')
done
# What libFuzzer calls; the tests call the same function with what the fuzzers begin with.
cat >$out/Entry.swift <<END
@_cdecl("LLVMFuzzerTestOneInput")
package func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  $(sed -n 's/^package func \([a-zA-Z]*\).*/\1/p' Tests/Fuzz/$entry.swift)(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
END
# shellcheck disable=SC2086
swiftc $flags $includes Tests/Fuzz/$entry.swift $out/Entry.swift $objects $libraries -o $out/$target

# A crash is reported by libFuzzer; Swift's own reporter would wait for a terminal. The standard
# library's caches count as leaks.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
if [ -n "$input" ]; then exec $out/$target "$input"; fi
echo "fuzz-$target: log in $out/$target.log"
# shellcheck disable=SC2086
$out/$target -max_total_time="$seconds" -timeout=20 -rss_limit_mb=1024 -max_len=65536 $options \
  -artifact_prefix=$out/$target- $out/$target-corpus $seeds >$out/$target.log 2>&1 || {
  tail -n 40 $out/$target.log
  exit 1
}
tail -n 1 $out/$target.log

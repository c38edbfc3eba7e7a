#!/usr/bin/env bash
# Runs a fuzz target: run.sh pictures|keys|requests|heads|multipart|pages|store SECONDS. Needs Swift on
# Linux, as everything here.
# What makes it fail is written to .build/fuzz/TARGET-crash-*; give that file as a third argument
# to run it alone.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=$1 seconds=$2 input=${3:-} options=
case $target in
pictures) entry=DecodePicture seeds=Tests/Fixtures/Pictures ;;
keys) entry=DecodeKeys seeds=Tests/Fixtures/Keys ;;
requests) entry=ReadRequest seeds=Tests/Fixtures/Requests ;;
heads) entry=ReadHeads seeds=Tests/Fixtures/Heads ;;
multipart) entry=ReadForm seeds=Tests/Fixtures/Forms ;;
pages) entry=ReadPage seeds=Tests/Fixtures/Pages ;;
# Each byte chooses something, so that long inputs are worth trying from the start.
store) entry=VisitMarket seeds= options="-len_control=0 -max_len=64" ;;
*) echo "run.sh: no target $target" >&2; exit 2 ;;
esac
# What the entry imports and all that lies beneath, the lowest first: C of our own, then Swift by its folder.
mapfile -t parts < <(swift package dump-package | python3 -c '
import json, sys
targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}
order = []
def add(name):
    if name not in targets or name in order: return
    for dependency in targets[name]["dependencies"]: add(dependency["byName"][0])
    order.append(name)
for line in open(sys.argv[1]):
    if line.startswith("import "): add(line.split()[1])
for name in order:
    path, kind = targets[name]["path"], targets[name]["type"]
    if kind != "system": print("c" if path.startswith("Modules/") else "swift", path)
' "Tests/Fuzz/$entry.swift")

out=.build/fuzz
mkdir -p $out/$target-corpus
includes="-I $out"
for module in Modules/*/; do includes="$includes -I $module"; done
flags="-swift-version 6 -package-name openmarket -O -sanitize=fuzzer,address -parse-as-library
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility"

objects=
changed=
for part in "${parts[@]}"; do
  read -r kind folder <<< "$part"
  module=$(basename "$folder")
  objects="$objects $out/$module.o"
  if [[ $kind == c ]]; then
    # Targets of C have no module map of their own in the package: SwiftPM makes one, and so does this.
    mkdir -p "$out/$module"
    printf 'module %s { umbrella "%s" export * }\n' "$module" "$PWD/$folder/include" > "$out/$module/module.modulemap"
    includes="$includes -I $out/$module"
    clang -O2 -c "$folder"/*.c -I "$folder/include" -o "$out/$module.o"
  # Targets share modules: what nothing has changed beneath is as the last one left it.
  elif [[ -n $changed || ! -e $out/$module.o || -n $(find "$folder" -newer "$out/$module.o" -type f) ]]; then
    changed=yes
    # shellcheck disable=SC2046,SC2086
    swiftc $flags $includes -wmo -module-name "$module" -emit-module-path "$out/$module.swiftmodule" \
      -emit-object -o "$out/$module.o" $(find "$folder" -name '*.swift')
  fi
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
swiftc $flags $includes Tests/Fuzz/$entry.swift $out/Entry.swift $objects -o $out/$target

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

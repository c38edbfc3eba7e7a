#!/bin/sh
# Compiles openmarket.ti and writes the Swift file that holds the result.
set -eu
cd "$(dirname "$0")"
out=../../Sources/Screen/TerminalKit/Ncurses/TerminfoEntry+Embedded.swift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tic -x -o "$folder" openmarket.ti

constant() {
  printf '\n  static let %s = TerminfoEntry(\n    name: "%s",\n    encoded: """\n' "$1" "$2"
  base64 -w 88 "$folder/o/$2" | sed 's/^/      /; s/$/\\/; $s/\\$//'
  printf '      """)\n'
}
{
  echo '// Written by Resources/terminfo/embed.sh; change openmarket.ti instead.'
  echo
  echo 'extension TerminfoEntry {'
  constant direct openmarket-direct | tail -n +2
  constant palette openmarket-256color
  echo '}'
} >"$out"

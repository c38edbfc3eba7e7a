#!/usr/bin/env bash
# Pictures outside of the database, against object storages of two makes and a folder: registrations,
# pictures, a storage that goes away and comes back, and moves in both directions while a server runs.
#
# Needs OpenStack Swift (apt-get install swift-proxy swift-account swift-container swift-object memcached)
# and moto (pip install 'moto[s3,server]', its program in PATH or in MOTO).
here=$(realpath "$(dirname "$0")")
source "$here/../Databases/cluster.sh"
source "$here/buckets.sh"
moto=${MOTO:-$(which moto_server || true)}
for program in swift-proxy-server memcached "$moto"; do
  which "$program" >/dev/null || { echo "missing: ${program:-moto_server}; see $0" >&2; exit 1; }
done
picture=$here/../Fixtures/Pictures/baseline.jpg

fail() { echo "$1" >&2; exit 1; }

# Registers a product by a key, and gives status, number and address of its picture.
register() {
  curl -s -o "$folder/answer" -w '%{http_code}' -H 'identifier: tester' -H "Idempotency-Key: $1" \
    "$address/api/products" -F "images=@$picture" \
    -F 'params={"name":"Desk lamp","description":"Warm light here.","price":42000,
      "currency":"KRW","discounted_price":2000,"stock":3,"secret":"open sesame"}' >"$folder/status"
  status=$(cat "$folder/status")
  id=$(grep -o '"id":[0-9]*' "$folder/answer" | head -n 1 | cut -d : -f 2 || true)
  image=$(grep -o '"url":"[^"]*' "$folder/answer" | head -n 1 | cut -d '"' -f 4 || true)
}

expect() { [[ $2 == "$3" ]] || fail "$1: $2 where $3 was due"; }

code() { curl -s -o /dev/null -w '%{http_code}' "$@"; }

# Tries one store with pictures at one place; $pause and $go stop the storage and let it go on.
try() {
  local name=$1 store=$2 place=$3
  export MARKET_PICTURES=$place
  start_server --store "$store"
  local server_number=$started
  register first
  expect "$name: registering" "$status" 201
  expect "$name: its picture" "$(code "$image")" 200
  local before after
  before=$(curl -s "$image" | sha256sum)
  "$server" admin pictures move --to store --store "$store" >"$folder/moved" 2>/dev/null
  expect "$name: moved in" "$(tr -dc 0-9 <"$folder/moved")" 1
  "$server" admin pictures move --to storage --store "$store" >"$folder/moved" 2>/dev/null
  expect "$name: moved out" "$(tr -dc 0-9 <"$folder/moved")" 1
  after=$(curl -s "$image" | sha256sum)
  expect "$name: the picture after that" "$after" "$before"
  $pause
  register second
  expect "$name: registering without the storage" "$status" 503
  expect "$name: a page without the storage" "$(code "$address/api/products?page_no=1")" 200
  $go
  sleep 2
  register second
  expect "$name: registering again" "$status" 201
  expect "$name: its picture again" "$(code "$image")" 200
  kill "$server_number"
  wait "$server_number" || true
  [[ $place != s3://* ]] || redirect "$name" "$store" "$before"
  echo "$name: fine"
}

# Has a picture fetched from the storage at the address that the server signs; a method of its own is
# signed for each, and a storage that checks signatures refuses any other.
redirect() {
  local name=$1 store=$2 before=$3 path=/${image#*://*/} location
  start_server --store "$store" --picture-redirects
  local server_number=$started
  image=$address$path
  expect "$name: a redirect" "$(code "$image")" 302
  expect "$name: the picture from the storage" "$(curl -sL "$image" | sha256sum)" "$before"
  expect "$name: its head from the storage" "$(code -IL "$image")" 200
  expect "$name: its thumbnail" "$(code "$(thumbnail)")" 200
  if [[ $name == Swift* ]]; then
    location=$(curl -s -o /dev/null -w '%{redirect_url}' "$image")
    expect "$name: another signature" "$(code "${location%?}$([[ $location == *0 ]] && echo 1 || echo 0)")" 403
    expect "$name: another file" "$(code "${location/\/$bucket\//\/$bucket\/0}")" 403
    expect "$name: another method" "$(code -I "$location")" 403
  fi
  kill "$server_number"
  wait "$server_number" || true
}

# The address of the thumbnail of the product that was registered last.
thumbnail() {
  curl -s "$address/api/products/$id" | grep -o '"thumbnail_url":"[^"]*' | head -n 1 | cut -d '"' -f 4
}

start_cluster
sql -d postgres -c 'CREATE DATABASE folder' -c 'CREATE DATABASE swift' -c 'CREATE DATABASE moto'
at="host=$folder"

mkdir "$folder/pictures"
pause="mv $folder/pictures $folder/away" go="mv $folder/away $folder/pictures"
try 'folder, PostgreSQL' "postgresql://market@/folder?$at" "$folder/pictures"
mkdir "$folder/others"
pause="mv $folder/others $folder/away" go="mv $folder/away $folder/others"
try 'folder, SQLite' "$folder/folder.sqlite" "$folder/others"

start_swift
proxy=${children[-1]}
pause="kill -STOP $proxy" go="kill -CONT $proxy"
try 'Swift, PostgreSQL' "postgresql://market@/swift?$at" "s3://$bucket/a?endpoint=$endpoint"
try 'Swift, SQLite' "$folder/swift.sqlite" "s3://$bucket/b?endpoint=$endpoint"
AWS_SECRET_ACCESS_KEY=wrong "$server" --check-config --store "$folder/swift.sqlite" \
  --pictures "s3://$bucket/b?endpoint=$endpoint" >"$folder/checked" && fail 'Swift takes a wrong key'
grep -q SignatureDoesNotMatch "$folder/checked" || fail "a wrong key: $(cat "$folder/checked")"

start_moto
mock=${children[-1]}
pause="kill -STOP $mock" go="kill -CONT $mock"
try 'moto, PostgreSQL' "postgresql://market@/moto?$at" "s3://$bucket/a?endpoint=$endpoint"
try 'moto, SQLite' "$folder/moto.sqlite" "s3://$bucket/b?endpoint=$endpoint"

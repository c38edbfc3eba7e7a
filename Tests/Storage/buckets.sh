# Two object storages of different make for the scripts beside this file, thrown away when they end:
# OpenStack Swift with its s3api, which checks signatures, and moto's server, which is a mock.
#
# Each is started by a function and leaves its address in $endpoint. The keys are those below.
export AWS_ACCESS_KEY_ID=market:tester AWS_SECRET_ACCESS_KEY=a-secret-of-tests
region=us-east-1
bucket=pictures

await() {
  local end=$((SECONDS + 30))
  until curl -s -o /dev/null "$1"; do
    ((SECONDS < end)) || { echo "nothing answers at $1" >&2; return 1; }
    sleep 0.2
  done
}

start_moto() {
  local port
  port=$(free_port)
  "$moto" -H 127.0.0.1 -p "$port" >"$folder/moto.log" 2>&1 &
  children+=("$!")
  endpoint=http://127.0.0.1:$port
  await "$endpoint"
  curl -sf -o /dev/null -X PUT "$endpoint/$bucket"
}

# One machine, one disk, one copy of everything, without the daemons that tidy up.
start_swift() {
  local kind port place=$folder/swift
  mkdir -p "$place/d1"
  for kind in account container object; do
    port=$(free_port)
    swift-ring-builder "$place/$kind.builder" create 4 1 1 >/dev/null
    swift-ring-builder "$place/$kind.builder" add "r1z1-127.0.0.1:$port/d1" 1 >/dev/null
    swift-ring-builder "$place/$kind.builder" rebalance >/dev/null
    cat >"$place/$kind.conf" <<END
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $port
user = $(id -un)
devices = $place
swift_dir = $place
mount_check = false
workers = 0
disable_fallocate = true
[pipeline:main]
pipeline = $kind-server
[app:$kind-server]
use = egg:swift#$kind
END
    "swift-$kind-server" "$place/$kind.conf" >"$place/$kind.log" 2>&1 </dev/null &
    children+=("$!")
  done
  port=$(free_port)
  local memory
  memory=$(free_port)
  memcached -l 127.0.0.1 -p "$memory" -u nobody -m 16 >/dev/null 2>&1 &
  children+=("$!")
  endpoint=http://127.0.0.1:$port
  cat >"$place/proxy.conf" <<END
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $port
user = $(id -un)
swift_dir = $place
workers = 0
[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:$memory
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = $region
[filter:tempauth]
use = egg:swift#tempauth
user_market_tester = $AWS_SECRET_ACCESS_KEY .admin
END
  swift-proxy-server "$place/proxy.conf" >"$place/proxy.log" 2>&1 &
  children+=("$!")
  await "$endpoint"
  local token
  token=$(curl -sf -D - -o /dev/null -H "X-Auth-User: $AWS_ACCESS_KEY_ID" \
    -H "X-Auth-Key: $AWS_SECRET_ACCESS_KEY" "$endpoint/auth/v1.0" |
    tr -d '\r' | sed -n 's/^X-Auth-Token: //ip')
  curl -sf -o /dev/null -X PUT -H "X-Auth-Token: $token" "$endpoint/v1/AUTH_market/$bucket"
}

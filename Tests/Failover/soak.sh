#!/usr/bin/env bash
# An hour (MINUTES) in which everything falls that a fleet stands on: three servers of a primary and its
# standby, with pictures in an object storage, 20 clients of each API and 200 watchers. Arguments name
# some of the falls.
#
# The storage is OpenStack Swift where its packages are installed (see Tests/Storage/check.sh), and
# moto's server, which is a mock, otherwise; STORAGE names one of them.
set -euo pipefail
# Disks are mounted where nobody else sees them.
if [[ $(id -u) == 0 && -z ${SOAK_MOUNTS:-} ]] && unshare -m true 2>/dev/null; then
  SOAK_MOUNTS=1 exec unshare -m "$0" "$@"
fi
here=$(realpath "$(dirname "$0")")
source "$here/../Databases/cluster.sh"
source "$here/../Storage/buckets.sh"
moto=${MOTO:-$(command -v moto_server || true)}
storage=${STORAGE:-$(command -v swift-proxy-server >/dev/null && echo swift || echo moto)}
if [[ $storage == moto && -z $moto ]]; then
  echo 'An object storage is missing; see Tests/Storage/check.sh' >&2
  exit 1
fi
# A build that runs meanwhile changes nothing.
cp "$server" "$folder/market-server"
server=$folder/market-server
"start_$storage"
echo "pictures are in $storage"

[[ -z ${as[*]} ]] || chown -R postgres "$folder"
disks=()
if [[ -n ${SOAK_MOUNTS:-} ]]; then
  for name in a b; do
    disk=$folder/disk-$name
    mkdir "$disk"
    mount -t tmpfs -o "size=2g,mode=700,uid=$(id -u postgres)" none "$disk" 2>/dev/null || break
    "${as[@]}" mkdir "$disk/table"
    disks+=("$disk")
  done
fi
[[ ${#disks[@]} == 2 ]] || { disks=(); echo 'disk full: not tried, for no disks could be mounted'; }
status=0
PYTHONDONTWRITEBYTECODE=1 python3 "$here/soak.py" "$server" "$bin" "$folder" "${MINUTES:-60}" \
  "$endpoint" "${as[*]}" "${disks[*]}" "$@" || status=$?
for disk in "${disks[@]}"; do umount "$disk" || true; done
kept=$here/../../.build/fleet-soak
mkdir -p "$kept"
cp "$folder"/*.log "$kept"
echo "the logs are in $(realpath "$kept")"
exit $status

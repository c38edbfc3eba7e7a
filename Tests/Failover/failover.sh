#!/usr/bin/env bash
# Databases that fall under load: two servers of a database whose primary is killed, stands still or is
# lost behind a dead way, whose standby is gone, whose disk is full, whose connections are cut, and
# whose backends are killed, each ROUNDS times (5). Arguments name some of them.
set -euo pipefail
# A small disk is mounted where nobody else sees it.
if [[ $(id -u) == 0 && -z ${FALL_MOUNTS:-} ]] && unshare -m true 2>/dev/null; then
  FALL_MOUNTS=1 exec unshare -m "$0" "$@"
fi
here=$(realpath "$(dirname "$0")")
source "$here/../Databases/cluster.sh"
[[ -z ${as[*]} ]] || chown -R postgres "$folder"
small=-
if [[ -n ${FALL_MOUNTS:-} ]]; then
  mkdir "$folder/small"
  if mount -t tmpfs -o "size=48m,mode=700,uid=$(id -u postgres)" none "$folder/small" 2>/dev/null; then
    small=$folder/small/table
    "${as[@]}" mkdir "$small"
  fi
fi
status=0
PYTHONDONTWRITEBYTECODE=1 python3 "$here/fall.py" "$server" "$bin" "$folder" \
  "$here/../Fixtures/Pictures/baseline.jpg" "${ROUNDS:-5}" "${as[*]}" "$small" "$@" || status=$?
[[ $small == - ]] || umount "$folder/small" || true
exit $status

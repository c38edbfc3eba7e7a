#define _GNU_SOURCE
#include "CFileBirth.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

int file_birth_of(const char *path, file_birth *birth) {
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &status)) return errno;
  birth->device = makedev(status.stx_dev_major, status.stx_dev_minor);
  birth->number = status.stx_ino;
  birth->has_birth = (status.stx_mask & STATX_BTIME) != 0;
  birth->birth_seconds = birth->has_birth ? status.stx_btime.tv_sec : 0;
  birth->birth_nanoseconds = birth->has_birth ? status.stx_btime.tv_nsec : 0;
  return 0;
}

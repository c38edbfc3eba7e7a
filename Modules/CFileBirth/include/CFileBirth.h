#pragma once
#include <stdint.h>

/// What tells a file from its copies: its number in the file system, and when that was given out.
typedef struct {
  uint64_t device;
  uint64_t number;
  int64_t birth_seconds;        ///< Since 1970.
  uint32_t birth_nanoseconds;
  int has_birth;                ///< 0 where the file system keeps no time of birth.
} file_birth;

/// Looks a file up, or what a link leads to; 0 or an `errno`.
///
/// Written in C because glibc declares `statx` for GNU sources alone.
int file_birth_of(const char *path, file_birth *birth);

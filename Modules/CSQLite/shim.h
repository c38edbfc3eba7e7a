#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import.
static inline int CSQLite_bind_text(
    sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int CSQLite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline void CSQLite_result_blob(
    sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}

// sqlite3_db_config is variadic, which Swift does not import.
static inline int CSQLite_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

// sqlite3_config is variadic as well.
static inline int CSQLite_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Swift has atomic loads for its own variables, and none for memory that other processes write.
static inline uint64_t CSQLite_load(const void *place) {
  return __atomic_load_n((const uint64_t *)place, __ATOMIC_ACQUIRE);
}

// fcntl is variadic, and so is what SQLite calls in its place. It reads ENOLCK, "this file system has no locks",
// as a lock of another program, and other errors as errors.
static inline int CSQLite_fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  int result = fcntl(file, command, va_arg(rest, void *));
  va_end(rest);
  if (result == -1 && errno == ENOLCK) errno = ENOTSUP;
  return result;
}

static inline int CSQLite_tell_missing_locks(void) {
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  return system->xSetSystemCall(system, "fcntl", (sqlite3_syscall_ptr)CSQLite_fcntl);
}

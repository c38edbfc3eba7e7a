#pragma once
#include <sys/types.h>

// A GNU function of <spawn.h> (posix_spawn_file_actions_addclosefrom_np(3)) that Swift's own module
// of the C library leaves out; that header itself, read as GNU, would clash with the module.
int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);

// The same of <unistd.h>: pipe(2) whose ends no program inherits that another thread starts meanwhile.
int pipe2(int ends[2], int flags);

// A Linux function of <sys/pidfd.h> (pidfd_open(2)), which reads <signal.h> as GNU.
int pidfd_open(pid_t process, unsigned int flags);

static inline int cspawn_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

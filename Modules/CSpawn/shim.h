#pragma once

// A GNU function of <spawn.h> (posix_spawn_file_actions_addclosefrom_np(3)) that Swift's own module
// of the C library leaves out; that header itself, read as GNU, would clash with the module.
int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);

static inline int cspawn_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

#pragma once
#include <sys/types.h>

/// A program that runs in a pseudo terminal of its own.
typedef struct {
  pid_t process;
  int master;  ///< Non-blocking; the side where the terminal stands.
  int slave;   ///< Kept open, so that the settings can be read after the program's end.
} pseudo_terminal_child;

/// Starts `path` with a new pseudo terminal as its controlling terminal and its standard streams.
///
/// Written in C because Swift cannot fork. Returns 0 or an `errno`; a program that cannot be
/// executed ends with status 127.
int pseudo_terminal_spawn(const char *path, char *const argv[], char *const envp[],
                          unsigned short columns, unsigned short rows,
                          pseudo_terminal_child *child);

/// Opens both sides of a new pseudo terminal, the master's without blocking; 0 or an `errno`.
int pseudo_terminal_open(unsigned short columns, unsigned short rows, int *master, int *slave);

/// The number of a pseudo terminal, as in /dev/pts/0; -1 for what is none.
int pseudo_terminal_number(int master);

#define _GNU_SOURCE
#include "CPseudoTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// No other thread's child may inherit the sides: hanging up would then go unnoticed.
int pseudo_terminal_open(unsigned short columns, unsigned short rows, int *master, int *slave) {
  char name[64];
  *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (*master < 0) return errno;
  if (grantpt(*master) || unlockpt(*master) || ptsname_r(*master, name, sizeof name)) goto failed;
  *slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*slave < 0) goto failed;
  struct winsize size = {.ws_col = columns, .ws_row = rows};
  ioctl(*slave, TIOCSWINSZ, &size);
  return 0;
failed:;
  int error = errno;
  close(*master);
  return error;
}

// Runs between fork and exec of a process with threads: only async-signal-safe calls.
static void become_program(int slave, const char *path, char *const argv[], char *const envp[]) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  setsid();
  ioctl(slave, TIOCSCTTY, 0);
  for (int stream = 0; stream < 3; stream++) dup2(slave, stream);
  close_range(3, ~0U, 0);
  execvpe(path, argv, envp);
  _exit(127);
}

int pseudo_terminal_spawn(const char *path, char *const argv[], char *const envp[],
                          unsigned short columns, unsigned short rows,
                          pseudo_terminal_child *child) {
  int error = pseudo_terminal_open(columns, rows, &child->master, &child->slave);
  if (error) return error;
  child->process = fork();
  if (child->process == 0) become_program(child->slave, path, argv, envp);
  if (child->process > 0) return 0;
  error = errno;
  close(child->master);
  close(child->slave);
  return error;
}

int pseudo_terminal_number(int master) {
  unsigned number;
  return ioctl(master, TIOCGPTN, &number) ? -1 : (int)number;
}

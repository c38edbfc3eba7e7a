#define _GNU_SOURCE
#include "terminal_guard.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

// All that kill unless somebody handles them (signal(7)), but SIGKILL, which nobody can catch, and
// those of failed writes, which the program ignores.
static const int fatal_signals[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGTRAP,   SIGABRT, SIGFPE,
                                    SIGSYS,  SIGQUIT, SIGHUP,  SIGTERM,   SIGINT,  SIGUSR1,
                                    SIGUSR2, SIGALRM, SIGPROF, SIGVTALRM, SIGPOLL, SIGXCPU,
                                    SIGPWR,  SIGSTKFLT};
enum { fatal_signal_count = sizeof fatal_signals / sizeof fatal_signals[0] };

static struct {
  int fd;
  struct termios modes;
  unsigned char bytes[512];
  size_t count;
  struct sigaction previous[fatal_signal_count];
  int catches;
} guard;

// Set last and taken first: two threads may die at once.
static int armed;

void terminal_guard_restore(void) {
  if (!__atomic_exchange_n(&armed, 0, __ATOMIC_ACQ_REL)) return;
  // A process in the background is stopped when it sets modes, unless this signal is blocked.
  sigset_t blocked, previous;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &blocked, &previous);
  size_t written = 0;
  while (written < guard.count) {
    ssize_t count = write(guard.fd, guard.bytes + written, guard.count - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += (size_t)count;
  }
  // Answers that still come in must not reach the shell.
  tcflush(guard.fd, TCIFLUSH);
  tcsetattr(guard.fd, TCSANOW, &guard.modes);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
}

static void die(int number) {
  int error = errno;
  terminal_guard_restore();
  for (int index = 0; index < fatal_signal_count; index++) {
    if (fatal_signals[index] == number) sigaction(number, &guard.previous[index], NULL);
  }
  errno = error;
  raise(number);  // Delivered when this handler returns, to whoever handled it before.
}

static void catch_signals(void) {
  if (guard.catches) return;
  guard.catches = 1;
  struct sigaction action = {.sa_handler = die};
  sigfillset(&action.sa_mask);
  for (int index = 0; index < fatal_signal_count; index++) {
    sigaction(fatal_signals[index], &action, &guard.previous[index]);
  }
}

int terminal_guard_arm(int fd, const struct termios *modes, const unsigned char *bytes, size_t count) {
  if (count > sizeof guard.bytes) return -1;
  __atomic_store_n(&armed, 0, __ATOMIC_RELEASE);
  guard.fd = fd;
  guard.modes = *modes;
  memcpy(guard.bytes, bytes, count);
  guard.count = count;
  catch_signals();
  __atomic_store_n(&armed, 1, __ATOMIC_RELEASE);
  return 0;
}

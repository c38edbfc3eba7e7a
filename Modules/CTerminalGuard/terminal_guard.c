#define _GNU_SOURCE
#include "terminal_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
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
  int hands_on;
} guard;

// How long a terminal may take no output before it is given back without the bytes.
enum { patience_milliseconds = 100 };

// How long an answer is waited for at least and at most, which the shell would read as keys.
enum { least_milliseconds = 30, most_milliseconds = 500 };

// Where the terminal still owes an answer, the descriptor to read it from, else -1; whether the question
// that is answered last is still to be asked; and when an answer is no longer expected.
static int awaited = -1;
static int unasked;
static long awaited_until;

// Set last and taken first: two threads may die at once.
static int armed;

static long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void terminal_guard_await(int input, int asks, int time) {
  unasked = asks;
  awaited_until = milliseconds() + time;
  __atomic_store_n(&awaited, input, __ATOMIC_RELEASE);
}

// Reads up to the end of DA1, which the terminal answers after all that it owes.
static void await_answer(int input) {
  // A process in the background would be stopped when it reads.
  if (input < 0 || tcgetpgrp(input) != getpgrp()) return;
  if (unasked && write(guard.fd, "\033[c", 3) != 3) return;
  // A thread that runs on may take the bytes that poll has seen, and a read would then wait for others.
  struct termios modes;
  if (tcgetattr(input, &modes) != 0) return;
  modes.c_cc[VMIN] = modes.c_cc[VTIME] = 0;
  tcsetattr(input, TCSANOW, &modes);
  long left = awaited_until - milliseconds();
  if (left < least_milliseconds) left = least_milliseconds;
  if (left > most_milliseconds) left = most_milliseconds;
  long end = milliseconds() + left;
  enum { other, escape, control, attributes } state = other;
  for (; left > 0; left = end - milliseconds()) {
    struct pollfd answer = {.fd = input, .events = POLLIN};
    int count = poll(&answer, 1, (int)left);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || !(answer.revents & POLLIN)) return;
    unsigned char byte;
    ssize_t taken = read(input, &byte, 1);
    if (taken < 0 || (taken == 0 && answer.revents & POLLHUP)) return;
    if (taken == 0) continue;
    if (byte == 033) state = escape;
    else if (state == escape) state = byte == '[' ? control : other;
    else if (state == control) state = byte == '?' ? attributes : other;
    else if (state == attributes && byte == 'c') return;
    else if (state == attributes && byte != ';' && (byte < '0' || byte > '9')) state = other;
  }
}

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
    if (count < 0 && errno == EAGAIN) {
      struct pollfd room = {.fd = guard.fd, .events = POLLOUT};
      if (poll(&room, 1, patience_milliseconds) > 0) continue;
    }
    if (count <= 0) break;
    written += (size_t)count;
  }
  await_answer(__atomic_exchange_n(&awaited, -1, __ATOMIC_ACQ_REL));
  // Answers that still come in must not reach the shell.
  tcflush(guard.fd, TCIFLUSH);
  tcsetattr(guard.fd, TCSANOW, &guard.modes);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
}

static void die(int number) {
  int error = errno;
  terminal_guard_restore();
  struct sigaction next = {.sa_handler = SIG_DFL};
  for (int index = 0; index < fatal_signal_count && guard.hands_on; index++) {
    if (fatal_signals[index] == number) next = guard.previous[index];
  }
  sigaction(number, &next, NULL);
  errno = error;
  raise(number);  // Delivered when this handler returns.
}

static void catch_signals(void) {
  if (guard.catches) return;
  guard.catches = 1;
  // Where its toolchain is installed, Swift's runtime handles crashes by a dialog in the terminal.
  // Whoever wants its report asks for it; a sanitizer's is always wanted.
  guard.hands_on = getenv("SWIFT_BACKTRACE") || getenv("ASAN_OPTIONS") || getenv("TSAN_OPTIONS");
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

static int notes[2];

static void note(int number) {
  int error = errno;
  unsigned char byte = (unsigned char)number;
  // Where so many wait that there is no room, one more says nothing new.
  if (write(notes[1], &byte, 1) < 0) errno = error;
}

int terminal_guard_watch(const int *signals, int count) {
  if (pipe2(notes, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  for (int index = 0; index < count; index++) sigaction(signals[index], &action, NULL);
  return notes[0];
}

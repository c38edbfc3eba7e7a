// Preloaded into a program under callgrind, which runs some fifty times as slow: its timers run as much
// slower, so that what it does after a pause does not come between keys that are held.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/timerfd.h>
#include <time.h>

enum { SLOWNESS = 200, FILES = 256 };
static clockid_t clocks[FILES];

int timerfd_create(int clock, int flags) {
  int (*create)(int, int) = dlsym(RTLD_NEXT, "timerfd_create");
  int file = create(clock, flags);
  if (file >= 0 && file < FILES) clocks[file] = clock;
  return file;
}

static long long nanoseconds(struct timespec time) { return time.tv_sec * 1000000000ll + time.tv_nsec; }

int timerfd_settime(int file, int flags, const struct itimerspec *timer, struct itimerspec *old) {
  int (*set)(int, int, const struct itimerspec *, struct itimerspec *) = dlsym(RTLD_NEXT, "timerfd_settime");
  struct itimerspec slow = *timer;
  long long until = nanoseconds(timer->it_value);
  if (until != 0 && file >= 0 && file < FILES) {
    struct timespec now = {0, 0};
    if (flags & TFD_TIMER_ABSTIME) clock_gettime(clocks[file], &now);
    long long wait = until - nanoseconds(now);
    if (wait > 0) until = nanoseconds(now) + wait * SLOWNESS;
    slow.it_value = (struct timespec){until / 1000000000, until % 1000000000};
  }
  return set(file, flags, &slow, old);
}

#define _GNU_SOURCE
#include "task_queue.h"

#include <stdint.h>
#include <time.h>

#define SWIFT __attribute__((swiftcall))

// libdispatch comes with the toolchain, outside the search path for headers.
extern void *dispatch_queue_create(const char *label, void *attributes);
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *));
extern void dispatch_after_f(uint64_t when, void *queue, void *context, void (*work)(void *));
extern uint64_t dispatch_time(uint64_t when, int64_t delta);

// The runtime's own hooks and entry, as its header ExecutorHooks.h declares them.
typedef struct {
  void *identity;
  uintptr_t implementation;
} ExecutorReference;
extern SWIFT void swift_job_run(void *job, ExecutorReference executor);
extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, void *original);
extern SWIFT void (*swift_task_enqueueGlobalWithDelay_hook)(
    unsigned long long nanoseconds, void *job, void *original);
extern SWIFT void (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long seconds, long long nanoseconds, long long leeway_seconds,
    long long leeway_nanoseconds, int clock, void *job, void *original);

static void *queue;

static void run(void *job) {
  ExecutorReference generic = {0, 0};
  swift_job_run(job, generic);
}

static SWIFT void enqueue(void *job, void *original) {
  (void)original;
  dispatch_async_f(queue, job, run);
}

static SWIFT void enqueue_after(unsigned long long nanoseconds, void *job, void *original) {
  (void)original;
  dispatch_after_f(dispatch_time(0, (int64_t)nanoseconds), queue, job, run);
}

// The deadline is absolute; clock 1 goes on while the machine sleeps, the other does not.
static SWIFT void enqueue_at(
    long long seconds, long long nanoseconds, long long leeway_seconds,
    long long leeway_nanoseconds, int clock, void *job, void *original) {
  (void)leeway_seconds, (void)leeway_nanoseconds;
  struct timespec now;
  clock_gettime(clock == 1 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC, &now);
  long long delay =
      (seconds - now.tv_sec) * 1000000000LL + (nanoseconds - now.tv_nsec);
  enqueue_after(delay > 0 ? (unsigned long long)delay : 0, job, original);
}

void task_queue_install(void) {
  queue = dispatch_queue_create("market.tasks", 0);
  swift_task_enqueueGlobal_hook = enqueue;
  swift_task_enqueueGlobalWithDelay_hook = enqueue_after;
  swift_task_enqueueGlobalWithDeadline_hook = enqueue_at;
}

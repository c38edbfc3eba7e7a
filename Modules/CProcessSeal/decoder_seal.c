#define _GNU_SOURCE
#include "process_seal.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#endif

#ifdef NATIVE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define ALLOW(number) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), ANSWER(SECCOMP_RET_ALLOW)
// Allow a call whose argument has a bit, or does not have it.
#define ALLOW_WITH(number, argument, bit)                                           \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4), LOAD(args[argument]),        \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bit), 0, 1), ANSWER(SECCOMP_RET_ALLOW), \
      ANSWER(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW_WITHOUT(number, argument, bit)                                        \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4), LOAD(args[argument]),        \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bit), 1, 0), ANSWER(SECCOMP_RET_ALLOW), \
      ANSWER(SECCOMP_RET_ERRNO | EPERM)

int process_seal_decoder(void) {
  struct sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
      ALLOW(SYS_read),
      ALLOW(SYS_write),
      ALLOW(SYS_close),
      ALLOW(SYS_munmap),
      ALLOW(SYS_mremap),
      ALLOW(SYS_brk),
      ALLOW(SYS_madvise),
      ALLOW(SYS_futex),
      ALLOW(SYS_sched_yield),
      ALLOW(SYS_sched_getaffinity),
      ALLOW(SYS_clock_gettime),
      ALLOW(SYS_clock_nanosleep),
      ALLOW(SYS_set_robust_list),
      ALLOW(SYS_rseq),
      ALLOW(SYS_getrandom),
      ALLOW(SYS_gettid),
      ALLOW(SYS_getpid),
      ALLOW(SYS_exit),
      ALLOW(SYS_exit_group),
      // Memory holds no code of its own.
      ALLOW_WITHOUT(SYS_mmap, 2, PROT_EXEC),
      ALLOW_WITHOUT(SYS_mprotect, 2, PROT_EXEC),
      // Threads alone; the C library falls back on this call.
      ALLOW_WITH(SYS_clone, 0, CLONE_THREAD),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
      ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
      ANSWER(SECCOMP_RET_ERRNO | EPERM),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
int process_seal_decoder(void) {
  errno = ENOSYS;
  return -1;
}
#endif

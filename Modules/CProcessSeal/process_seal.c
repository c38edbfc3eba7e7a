#define _GNU_SOURCE
#include "process_seal.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int process_seal_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#endif

#ifdef NATIVE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSE(number, error)                               \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1),      \
      ANSWER(SECCOMP_RET_ERRNO | ((error) & SECCOMP_RET_DATA))

static int install(struct sock_filter *filter, size_t count) {
  struct sock_fprog program = {.len = (unsigned short)count, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int process_seal_network(void) {
  struct sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
      REFUSE(SYS_socket, EACCES),
      ANSWER(SECCOMP_RET_ALLOW),
  };
  return install(filter, sizeof filter / sizeof filter[0]);
}

int process_seal_programs(void) {
  struct sock_filter filter[] = {
      // Numbers of another architecture, as 32-bit calls on x86-64, mean other calls.
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
#ifdef __x86_64__
      // The x32 calls share the architecture and have this bit.
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x40000000, 0, 1),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      REFUSE(SYS_fork, EPERM),
      REFUSE(SYS_vfork, EPERM),
#endif
      REFUSE(SYS_execve, EPERM),
      REFUSE(SYS_execveat, EPERM),
      REFUSE(SYS_ptrace, EPERM),
      REFUSE(SYS_process_vm_readv, EPERM),
      REFUSE(SYS_process_vm_writev, EPERM),
      REFUSE(SYS_kill, EPERM),
      REFUSE(SYS_tkill, EPERM),
      REFUSE(SYS_rt_sigqueueinfo, EPERM),
      REFUSE(SYS_rt_tgsigqueueinfo, EPERM),
      REFUSE(SYS_pidfd_open, EPERM),
      REFUSE(SYS_pidfd_getfd, EPERM),
      REFUSE(SYS_pidfd_send_signal, EPERM),
      REFUSE(SYS_bpf, EPERM),
      REFUSE(SYS_perf_event_open, EPERM),
      REFUSE(SYS_userfaultfd, EPERM),
      REFUSE(SYS_process_madvise, EPERM),
      REFUSE(SYS_kcmp, EPERM),
      REFUSE(SYS_personality, EPERM),
      REFUSE(SYS_chroot, EPERM),
      REFUSE(SYS_keyctl, EPERM),
      REFUSE(SYS_add_key, EPERM),
      REFUSE(SYS_request_key, EPERM),
      REFUSE(SYS_unshare, EPERM),
      REFUSE(SYS_setns, EPERM),
      REFUSE(SYS_mount, EPERM),
      REFUSE(SYS_io_uring_setup, EPERM),
      // Its flags lie in memory, where no filter can look; the C library then falls back on clone.
      REFUSE(SYS_clone3, ENOSYS),
      // Its own limits alone: those of a neighbour, who is the same user, could end that one.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 5),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 1, 0),
      ANSWER(SECCOMP_RET_ERRNO | EPERM),
      ANSWER(SECCOMP_RET_ALLOW),
      // Threads alone are made, and signals go to the process itself alone, as abort(3) sends them.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 4, 0),
      ANSWER(SECCOMP_RET_ERRNO | EPERM),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 2),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 0, 1),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(SECCOMP_RET_ERRNO | EPERM),
  };
  return install(filter, sizeof filter / sizeof filter[0]);
}
#else
static int unknown(void) {
  errno = ENOSYS;
  return -1;
}

int process_seal_network(void) { return unknown(); }
int process_seal_programs(void) { return unknown(); }
#endif

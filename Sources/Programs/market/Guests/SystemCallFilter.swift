internal import CSeccomp
import Glibc
import Posix

/// Filter of a process's own system calls (seccomp(2)): no other program, no other process, and where that
/// is wanted no network.
///
/// Calls of another architecture, 32-bit and x32 calls among them, end the process, since their numbers mean
/// other calls.
nonisolated final class SystemCallFilter {
  private let context: scmp_filter_ctx

  /// Calls that start programs, make or look into processes, or change what a process may do.
  private static let forbidden = [
    "fork", "vfork", "execve", "execveat", "ptrace", "process_vm_readv", "process_vm_writev",
    "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open", "pidfd_getfd",
    "pidfd_send_signal", "bpf", "perf_event_open", "userfaultfd", "process_madvise", "kcmp",
    "personality", "chroot", "keyctl", "add_key", "request_key", "unshare", "setns", "mount",
    "io_uring_setup",
  ]

  /// `CLONE_THREAD` of clone(2), which the C library's header has for GNU programs alone.
  private static let cloneThread: UInt64 = 0x10000

  /// Makes the filter of a process; `architecture` is one of libseccomp's names, nil this machine's.
  /// - Throws: libseccomp's error; `ENOSYS` for an unknown architecture.
  init(
    of process: pid_t, closingNetwork: Bool, architecture: String? = nil
  ) throws(SystemError) {
    guard let context = seccomp_init(CSeccomp_allow) else { throw SystemError(number: ENOSYS) }
    self.context = context
    if let architecture {
      try Self.check(seccomp_arch_remove(context, seccomp_arch_native()))
      try Self.check(seccomp_arch_add(context, seccomp_arch_resolve_name(architecture)))
    }
    try Self.check(seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, CSeccomp_kill_process))
    if closingNetwork { try refuse("socket", EACCES) }
    for name in Self.forbidden { try refuse(name) }
    // Its flags lie in memory, where no filter can look; the C library then falls back on clone.
    try refuse("clone3", ENOSYS)
    // Only threads are made, and signals go to the process itself, as abort(3) sends them.
    try refuse("clone", where: Self.bits(Self.cloneThread, are: 0))
    let own = UInt64(process)
    try refuse("tgkill", where: scmp_arg_cmp(arg: 0, op: SCMP_CMP_NE, datum_a: own, datum_b: 0))
    try refuseLimitsOfOthers(own)
  }

  /// Calls of a decoder besides those with conditions.
  private static let ofDecoder = [
    "read", "write", "close", "munmap", "mremap", "brk", "madvise", "futex", "sched_yield",
    "sched_getaffinity", "clock_gettime", "clock_nanosleep", "set_robust_list", "rseq", "getrandom",
    "gettid", "getpid", "exit", "exit_group",
  ]

  /// Makes the filter of a process that decodes a stranger's file.
  ///
  /// It reads and writes what is open, and gets memory, which holds no code, and threads. It opens nothing,
  /// and neither blocks nor handles a signal.
  /// - Throws: libseccomp's error.
  init(forDecoding: Void) throws(SystemError) {
    guard let context = seccomp_init(CSeccomp_refuse(EPERM)) else {
      throw SystemError(number: ENOSYS)
    }
    self.context = context
    try Self.check(seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, CSeccomp_kill_process))
    for name in Self.ofDecoder { try add(CSeccomp_allow, name) }
    let holdsNoCode = Self.bits(UInt64(PROT_EXEC), are: 0, in: 2)
    // What is shared counts for no limit.
    let isPrivate = Self.bits(UInt64(MAP_SHARED), are: 0, in: 3)
    try add(CSeccomp_allow, "mmap", where: holdsNoCode, isPrivate)
    try add(CSeccomp_allow, "mprotect", where: holdsNoCode)
    try refuse("clone3", ENOSYS)
    try add(CSeccomp_allow, "clone", where: Self.bits(Self.cloneThread, are: Self.cloneThread))
  }

  deinit { seccomp_release(context) }

  static var libraryVersion: String {
    let version = seccomp_version().pointee
    return "\(version.major).\(version.minor).\(version.micro)"
  }

  /// Enters the filter, which cannot be left.
  /// - Throws: the error of seccomp(2).
  func install() throws(SystemError) { try Self.check(seccomp_load(context)) }

  /// Writes the filter's program (BPF) to a file.
  func export(to descriptor: Int32) throws(SystemError) {
    try Self.check(seccomp_export_bpf(context, descriptor))
  }

  /// Refuses prlimit(2) of a process other than 0 and `own`, which both name the caller: another guest is the
  /// same user, and tight limits would end it.
  ///
  /// A rule compares an argument once. So one rule refuses each bit that `own` has not, and each bit of `own`
  /// requires the next one.
  private func refuseLimitsOfOthers(_ own: UInt64) throws(SystemError) {
    let bits = (0..<64).map { UInt64(1) << $0 }
    let ownBits = bits.filter { own & $0 != 0 }
    for bit in bits where own & bit == 0 {
      try refuse("prlimit64", where: Self.bits(bit, are: bit))
    }
    for (bit, next) in zip(ownBits, ownBits.dropFirst() + ownBits.prefix(1)) where bit != next {
      try refuse("prlimit64", where: Self.bits(bit | next, are: bit))
    }
  }

  private func refuse(
    _ name: String, _ error: Int32 = EPERM, where condition: scmp_arg_cmp? = nil
  ) throws(SystemError) {
    if let condition {
      try add(CSeccomp_refuse(error), name, where: condition)
    } else {
      try add(CSeccomp_refuse(error), name)
    }
  }

  private func add(
    _ action: UInt32, _ name: String, where conditions: scmp_arg_cmp...
  ) throws(SystemError) {
    try Self.check(
      seccomp_rule_add_array(
        context, action, seccomp_syscall_resolve_name(name),
        UInt32(conditions.count), conditions))
  }

  /// Condition that of an argument's bits in `mask` exactly those of `value` are set.
  private static func bits(
    _ mask: UInt64, are value: UInt64, in argument: UInt32 = 0
  ) -> scmp_arg_cmp {
    scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
  }

  private static func check(_ code: Int32) throws(SystemError) {
    guard code >= 0 else { throw SystemError(number: -code) }
  }
}

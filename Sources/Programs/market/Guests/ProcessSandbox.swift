internal import CSeccomp
import Glibc
import Posix

/// Sandboxes of processes: that of a guest, with limits and without access to other programs or
/// processes, and that of a decoder, which only computes.
nonisolated enum ProcessSandbox {
  /// Maximum bytes of memory, number of descriptors and bytes of a file (setrlimit(2)).
  private static let maxMemory = 384 << 20
  private static let maxFiles = 128
  private static let maxFileSize = 64 << 20

  /// Keeps the process's memory from other guests, which run as the same user.
  /// - Throws: the error of the system call.
  static func makeNonDumpable() throws(SystemError) {
    guard CSeccomp_make_non_dumpable() == 0 else { throw .last }
  }

  /// Enters the sandbox, which cannot be left.
  ///
  /// A market file may have any size and needs no network, so `hasMarketFile` blocks the network
  /// instead of limiting file sizes.
  /// - Throws: the error of a system call or of the filter; some limits may be set then.
  static func close(hasMarketFile: Bool) throws(SystemError) {
    try limit(RLIMIT_CORE, to: 0)
    try limit(RLIMIT_DATA, to: maxMemory)
    try limit(RLIMIT_NOFILE, to: maxFiles)
    if !hasMarketFile { try limit(RLIMIT_FSIZE, to: maxFileSize) }
    try SystemCallFilter(of: getpid(), closingNetwork: hasMarketFile).install()
  }

  /// Maximum bytes of memory of a decoder.
  private static let maxDecoderMemory = 256 << 20

  /// Limits the resources of a process that decodes a stranger's file.
  /// - Throws: the error of a system call.
  static func limitDecoding() throws(SystemError) {
    try makeNonDumpable()
    try limit(RLIMIT_CORE, to: 0)
    try limit(RLIMIT_DATA, to: maxDecoderMemory)
  }

  /// Enters the sandbox of a decoder: no files, sockets, programs and signals.
  /// - Throws: the error of the filter.
  static func closeForDecoding() throws(SystemError) {
    try SystemCallFilter(forDecoding: ()).install()
  }

  private static func limit(_ kind: __rlimit_resource, to most: Int) throws(SystemError) {
    var limits = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
    let kind = __rlimit_resource_t(kind.rawValue)
    guard setrlimit(kind, &limits) == 0 else { throw .last }
  }
}

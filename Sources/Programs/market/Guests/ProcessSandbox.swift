internal import CProcessSeal
import Glibc
import Posix

/// Seal of a guest's process: bounds for what it takes, and no way to other programs or processes.
nonisolated enum ProcessSandbox {
  private static let maxMemory = 384 << 20
  private static let maxFiles = 128
  private static let maxFileSize = 64 << 20

  /// Keeps other guests, who are the same user, from this process's memory.
  static func makeNonDumpable() throws(SystemError) {
    guard process_seal_memory() == 0 else { throw .last }
  }

  /// Seals the process for good; `hasMarketFile` is whether its market is a file, which may be of any
  /// length, and for which it needs no network.
  static func close(hasMarketFile: Bool) throws(SystemError) {
    try limit(RLIMIT_CORE, to: 0)
    try limit(RLIMIT_DATA, to: maxMemory)
    try limit(RLIMIT_NOFILE, to: maxFiles)
    if hasMarketFile {
      guard process_seal_network() == 0 else { throw .last }
    } else {
      try limit(RLIMIT_FSIZE, to: maxFileSize)
    }
    guard process_seal_programs() == 0 else { throw .last }
  }

  private static func limit(_ kind: __rlimit_resource, to most: Int) throws(SystemError) {
    var limits = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
    let kind = __rlimit_resource_t(kind.rawValue)
    guard setrlimit(kind, &limits) == 0 else { throw .last }
  }
}

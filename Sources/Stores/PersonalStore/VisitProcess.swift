import Glibc
import Posix

/// A running program that takes part in visits, so that others know when it is gone.
package struct VisitProcess: Hashable, Sendable {
  /// Boot of the computer and table of processes; empty where the system tells neither.
  let host: String
  let process: Int64
  /// Clock ticks from boot to the start of the process; numbers of processes are used again.
  let started: Int64

  init(host: String, process: Int64, started: Int64) {
    self.host = host
    self.process = process
    self.started = started
  }

  /// This program.
  package static var current: VisitProcess { VisitProcess(process: Int64(getpid())) }

  /// A process of this computer; one that does not run counts as started at 0.
  init(process: Int64) {
    self.init(
      host: Self.thisHost, process: process, started: Self.start(of: process) ?? 0)
  }

  /// Whether the program has ended for certain.
  ///
  /// Of another computer that shares the home, or of another container, nobody here can say.
  func isGone(seenFrom host: String = thisHost) -> Bool {
    self.host == host && !host.isEmpty && Self.start(of: process) != started
  }

  /// The boot (proc(5), `random/boot_id`) and the process namespace (namespaces(7)).
  static var thisHost: String {
    guard let boot = text(of: "/proc/sys/kernel/random/boot_id") else { return "" }
    var name = [UInt8](repeating: 0, count: 64)
    let count = name.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { readlink("/proc/self/ns/pid", $0, buffer.count) } ?? -1
    }
    guard count > 0 else { return "" }
    return boot.prefix { $0 != "\n" } + " " + String(decoding: name[..<count], as: UTF8.self)
  }

  /// Field 22 of proc_pid_stat(5); nil where no such process runs, or it has ended and nobody has
  /// asked for its status yet.
  private static func start(of process: Int64) -> Int64? {
    guard let text = text(of: "/proc/\(process)/stat"),
      // The name of the program, in parentheses, may hold anything.
      let name = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[name...].split(separator: " ").dropFirst()
    guard fields.count > 19, fields.first != "Z", fields.first != "X" else { return nil }
    return Int64(fields[fields.startIndex + 19])
  }

  /// Files of /proc have no size.
  private static func text(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return (try? FileDescriptorIO.readAll(from: file, limit: 4_096)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

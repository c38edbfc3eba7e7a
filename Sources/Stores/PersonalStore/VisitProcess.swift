import Glibc
import Posix

/// Running program that takes part in visits, identified so that other programs notice its end.
package struct VisitProcess: Hashable, Sendable {
  /// Boot id and PID namespace; empty where the system does not report them.
  let host: String
  let process: Int64
  /// Clock ticks from boot to the start of the process; process ids are reused.
  let started: Int64

  init(host: String, process: Int64, started: Int64) {
    self.host = host
    self.process = process
    self.started = started
  }

  /// This program.
  package static var current: VisitProcess { VisitProcess(process: Int64(getpid())) }

  /// A process of this computer; `started` is 0 where it does not run.
  init(process: Int64) {
    self.init(
      host: Self.thisHost, process: process, started: Self.start(of: process) ?? 0)
  }

  /// Whether the program has certainly ended.
  ///
  /// False for another computer that shares the home folder, or another container.
  func isGone(seenFrom host: String = thisHost) -> Bool {
    self.host == host && !host.isEmpty && Self.start(of: process) != started
  }

  /// The boot id (proc(5), `random/boot_id`) and the PID namespace (namespaces(7)).
  static var thisHost: String {
    guard let boot = text(of: "/proc/sys/kernel/random/boot_id") else { return "" }
    var name = [UInt8](repeating: 0, count: 64)
    let count = name.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { readlink("/proc/self/ns/pid", $0, buffer.count) } ?? -1
    }
    guard count > 0 else { return "" }
    return boot.prefix { $0 != "\n" } + " " + String(decoding: name[..<count], as: UTF8.self)
  }

  /// Field 22 of proc_pid_stat(5); nil where there is no such process, or it is a zombie.
  private static func start(of process: Int64) -> Int64? {
    guard let text = text(of: "/proc/\(process)/stat"),
      // The program's name, in parentheses, may contain any character.
      let name = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[name...].split(separator: " ").dropFirst()
    guard fields.count > 19, fields.first != "Z", fields.first != "X" else { return nil }
    return Int64(fields[fields.startIndex + 19])
  }

  /// Reads to the end: files of /proc have no size.
  private static func text(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return (try? FileDescriptorIO.readAll(from: file, limit: 4_096)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

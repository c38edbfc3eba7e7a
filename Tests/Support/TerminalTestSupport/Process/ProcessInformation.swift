import Glibc

/// What Linux tells about a running process (proc(5)).
package struct ProcessInformation: Sendable {
  package let process: pid_t

  package init(of process: pid_t) {
    self.process = process
  }

  /// Memory that is in RAM now, in kilobytes; none once the process has ended.
  package var residentKilobytes: Int? {
    Self.number("VmRSS", in: "/proc/\(process)/status")
  }

  /// The most memory that was ever in RAM, in kilobytes; none once the process has ended.
  package var peakResidentKilobytes: Int? {
    Self.number("VmHWM", in: "/proc/\(process)/status")
  }

  /// How large a file of the process's memory may become that a crash leaves (core(5)): the limit that
  /// holds and the one up to which the process may raise it.
  package var coreFileLimits: [String] {
    let name = "Max core file size"
    let line = Self.contents(of: "/proc/\(process)/limits").split(separator: "\n")
      .first { $0.hasPrefix(name) }
    return line?.dropFirst(name.count).split(separator: " ").prefix(2).map(String.init) ?? []
  }

  /// How often each thread went to sleep by itself; a wake-up of an idle thread adds one.
  package var voluntarySwitches: [String: Int] {
    var switches: [String: Int] = [:]
    for thread in Self.entries(of: "/proc/\(process)/task") {
      let status = "/proc/\(process)/task/\(thread)/status"
      switches[thread] = Self.number("voluntary_ctxt_switches", in: status)
    }
    return switches
  }

  /// How often threads woke up since then; the end of a thread is a wake-up as well.
  package func wakeUps(since before: [String: Int]) -> Int {
    let now = voluntarySwitches
    let ended = before.keys.count { now[$0] == nil }
    return now.reduce(ended) { $0 + $1.value - before[$1.key, default: 0] }
  }

  private static func number(_ field: String, in path: String) -> Int? {
    for line in contents(of: path).split(separator: "\n") where line.hasPrefix(field + ":") {
      let digits = line.drop { !$0.isNumber }.prefix { $0.isNumber }
      return Int(digits)
    }
    return nil
  }

  private static func contents(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    return String(unsafeUninitializedCapacity: 1 << 13) { buffer in
      max(0, read(file, buffer.baseAddress, buffer.count))
    }
  }

  private static func entries(of path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}

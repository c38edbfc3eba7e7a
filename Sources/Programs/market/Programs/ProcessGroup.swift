import Glibc
import Posix

/// Process group of a leader and its descendants (proc(5)).
nonisolated struct ProcessGroup {
  let leader: pid_t

  /// Whether a shell with job control can continue the group after a stop.
  var hasShell: Bool {
    guard let parent = Process(leader)?.parent, parent > 1 else { return false }
    return getpgid(parent) != leader && getsid(parent) == getsid(0)
  }

  /// Whether a process of the group is stopped: the leader or a descendant.
  var hasStopped: Bool {
    var waiting = [leader]
    for _ in 0..<Self.maxProcesses {
      guard let number = waiting.popLast() else { return false }
      guard let process = Process(number) else { continue }
      if process.group == leader, process.isStopped { return true }
      waiting += Self.children(of: number)
    }
    return false
  }

  /// Maximum number of processes to examine; an editor has a handful.
  private static let maxProcesses = 256

  /// Children of all threads of a process; none if the kernel does not list them.
  private static func children(of process: pid_t) -> [pid_t] {
    Folder.names(in: "/proc/\(process)/task").flatMap { thread in
      text(of: "/proc/\(process)/task/\(thread)/children").split(separator: " ")
        .compactMap { pid_t($0) }
    }
  }

  /// Data of one process.
  private struct Process {
    let isStopped: Bool
    let parent: pid_t
    let group: pid_t

    /// Reads a process; nil if it has ended.
    init?(_ number: pid_t) {
      // The fields after the name, which may contain anything: state, parent, group.
      let text = ProcessGroup.text(of: "/proc/\(number)/stat")
      let fields = text.split(separator: ")").last?.split(separator: " ").prefix(3) ?? []
      guard fields.count == 3, let parent = pid_t(fields[1]), let group = pid_t(fields[2]) else {
        return nil
      }
      isStopped = fields[0] == "T"
      self.parent = parent
      self.group = group
    }
  }

  private static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    return String(
      decoding: (try? FileDescriptorIO.read(upTo: 4_096, from: file)) ?? [], as: UTF8.self)
  }
}

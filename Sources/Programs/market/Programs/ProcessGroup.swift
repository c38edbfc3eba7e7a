import Glibc
import Posix

/// Process group with the processes that its leader has started (proc(5)).
nonisolated struct ProcessGroup {
  let leader: pid_t

  /// Whether a shell with job control watches the group, and can bring it back after a stop.
  var hasShell: Bool {
    guard let parent = Process(leader)?.parent, parent > 1 else { return false }
    return getpgid(parent) != leader && getsid(parent) == getsid(0)
  }

  /// Whether a signal has stopped a process of the group: the leader, or one that it waits for.
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

  /// The most processes that are looked at; an editor has a handful.
  private static let maxProcesses = 256

  /// Processes that any thread of a process has started; none where the kernel does not tell.
  private static func children(of process: pid_t) -> [pid_t] {
    Folder.names(in: "/proc/\(process)/task").flatMap { thread in
      text(of: "/proc/\(process)/task/\(thread)/children").split(separator: " ")
        .compactMap { pid_t($0) }
    }
  }

  /// Facts of one process.
  private struct Process {
    let isStopped: Bool
    let parent: pid_t
    let group: pid_t

    /// Nil where it has ended.
    init?(_ number: pid_t) {
      // Behind the name, which may hold anything: state, parent, group.
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

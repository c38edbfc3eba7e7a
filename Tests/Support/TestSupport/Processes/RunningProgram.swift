internal import CSpawn
import Dispatch
import Glibc
import Synchronization

/// A program that a test has started, whose end is waited for with a limit of time.
///
/// Its end is taken from the system as soon as it comes: an exit test, which looks among all children for
/// the one that has ended, would not see its own behind another.
package final class RunningProgram: Sendable {
  /// What became of it, as the system says (wait(2)).
  package struct End: Sendable {
    package let status: Int32
    package let usage: rusage

    /// What it exited with; nil where a signal ended it.
    package var code: Int32? { status & 0x7F == 0 ? status >> 8 & 0xFF : nil }
  }

  /// Longest that a program of tests takes for a line or its end on a machine that is busy.
  package static let timeout = Duration.seconds(120)

  package let identifier: Int32
  /// Readable once it has ended.
  package let descriptor: Int32
  private let knownEnd = Mutex<End?>(nil)

  /// - Parameter identifier: a child of this process for which no other code waits, nor a second value.
  /// - Throws: where the system has no descriptor left; the program is killed then.
  package init(_ identifier: Int32) throws(UnexpectedError) {
    self.identifier = identifier
    descriptor = pidfd_open(identifier, 0)
    guard descriptor >= 0 else {
      Glibc.kill(identifier, SIGKILL)
      throw UnexpectedError(description: "no descriptor for a program")
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.ends)
    source.setEventHandler {
      _ = self.end(within: .zero)
      source.cancel()
    }
    source.activate()
  }

  private static let ends = DispatchQueue(label: "ends of programs")

  deinit { close(descriptor) }

  /// Sends a signal; nothing where it has ended, since its number may be another's by then.
  package func signal(_ number: Int32) {
    knownEnd.withLock { end in if end == nil { Glibc.kill(identifier, number) } }
  }

  /// How it ended; nil where it has not after this time.
  package func end(within timeout: Duration) -> End? {
    if let end = knownEnd.withLock({ $0 }) { return end }
    guard DescriptorWait.untilReadable(descriptor, before: .now + timeout) else { return nil }
    return knownEnd.withLock { end in
      if let end { return end }
      var (status, usage) = (Int32(0), rusage())
      while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
      end = End(status: status, usage: usage)
      return end
    }
  }

  /// How it ended.
  ///
  /// - Throws: where it has not in time.
  package func end() throws(UnexpectedError) -> End {
    if let end = end(within: Self.timeout) { return end }
    throw UnexpectedError(description: "process \(identifier) does not end in \(Self.timeout)")
  }

  /// Ends it at once, with nothing to do about it (SIGKILL).
  ///
  /// One that even this does not end, as where a disk hangs, is left to the system.
  package func kill() {
    signal(SIGKILL)
    _ = end(within: Self.timeout)
  }
}

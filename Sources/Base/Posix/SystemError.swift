import Glibc

/// Failure of a system call, by the number that the system gave it (errno(3)).
package struct SystemError: Error, Hashable, Sendable {
  package let number: Int32

  package init(number: Int32) {
    self.number = number
  }

  /// The failure of the call that was made last on this thread.
  package static var last: SystemError { SystemError(number: errno) }

  /// Whether there is no room left, on the disk or for its user.
  package var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
}

extension SystemError: CustomStringConvertible {
  /// The failure as the system words it (strerror(3)).
  package var description: String { String(cString: strerror(number)) }
}

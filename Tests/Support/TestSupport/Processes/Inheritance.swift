internal import CSpawn
import Glibc

/// What a program that a test starts gets of the open files of the tests.
package enum Inheritance {
  /// Ends the list of what is done to a new program's descriptors: it inherits none from here on.
  ///
  /// Tests run at the same time, and what one of them has open would stay open in the program of
  /// another: pipes would have no end, and connections that are closed would not look so.
  ///
  /// - Parameters:
  ///   - actions: what is done to the descriptors so far.
  ///   - first: the lowest that is closed.
  package static func end(
    _ actions: inout posix_spawn_file_actions_t, at first: Int32 = STDERR_FILENO + 1
  ) {
    let code = cspawn_close_from(&actions, first)
    precondition(code == 0, "there is memory for one action more")
  }
}

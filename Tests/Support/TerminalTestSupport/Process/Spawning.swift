import Glibc
import TestSupport

/// Starts a program in a session of its own, with nothing on standard input.
///
/// - Parameters:
///   - command: path or name of the program, and its arguments.
///   - environment: all of the program's environment.
///   - descriptors: descriptors here, and which they are there; none else is inherited.
/// - Returns: the program, which runs until the caller ends it.
/// - Throws: `TerminalSessionError.cannotStart`.
func spawn(
  _ command: [String], environment: [String: String], _ descriptors: [(here: Int32, there: Int32)]
) throws(TerminalSessionError) -> RunningProgram {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
  for (here, there) in descriptors {
    posix_spawn_file_actions_adddup2(&actions, here, there)
  }
  let last = descriptors.reduce(STDERR_FILENO) { max($0, $1.there) }
  Inheritance.end(&actions, at: last + 1)
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  // Threads of tests block and ignore signals, of which the program knows nothing.
  var (none, all) = (sigset_t(), sigset_t())
  sigemptyset(&none)
  sigfillset(&all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  let inNewSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which is not visible to Swift.
  posix_spawnattr_setflags(
    &attributes, inNewSession | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  var process: pid_t = 0
  let error = withCStrings(command) { arguments in
    withCStrings(environment.map { $0.key + "=" + $0.value }) { variables in
      posix_spawnp(&process, command[0], &actions, &attributes, arguments, variables)
    }
  }
  guard error == 0 else { throw .cannotStart(errno: error) }
  do throws(UnexpectedError) {
    return try RunningProgram(process)
  } catch {
    throw .cannotStart(errno: EMFILE)
  }
}

/// A program that runs beside a test and is ended with its value.
final class Companion {
  private let program: RunningProgram

  /// - Throws: `TerminalSessionError.cannotStart`.
  init(
    _ command: [String], environment: [String: String],
    _ descriptors: [(here: Int32, there: Int32)]
  ) throws(TerminalSessionError) {
    program = try spawn(command, environment: environment, descriptors)
  }

  deinit {
    program.signal(SIGTERM)
    if program.end(within: .seconds(10)) == nil { program.kill() }
  }
}

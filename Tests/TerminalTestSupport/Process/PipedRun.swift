import Glibc

/// A run without a terminal: nothing on standard input, output and errors through pipes.
package struct PipedRun: Sendable {
  package let output: String
  package let errors: String
  package let exit: ProcessExit

  /// Runs a program to its end, in a session of its own so that it finds no terminal.
  ///
  /// - Parameters:
  ///   - command: path of the program and its arguments.
  ///   - environment: all of the program's environment.
  /// - Throws: `TerminalSessionError.cannotStart`.
  package init(
    _ command: [String], environment: [String: String]
  ) throws(TerminalSessionError) {
    let outputPipe = try Pipe()
    let errorPipe = try Pipe()
    let process = try Self.start(
      command, environment: environment, output: outputPipe, errors: errorPipe)
    outputPipe.closeWriter()
    errorPipe.closeWriter()
    (output, errors) = Pipe.drain(outputPipe, errorPipe)
    var status: Int32 = 0
    while wait4(process, &status, 0, nil) < 0, errno == EINTR {}
    exit = ProcessExit(waitStatus: status)
  }

  /// `POSIX_SPAWN_SETSID`, which is not visible to Swift.
  private static let newSession: Int16 = 0x80

  private static func start(
    _ command: [String], environment: [String: String], output: Pipe, errors: Pipe
  ) throws(TerminalSessionError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writer, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors.writer, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, newSession)
    var process: pid_t = 0
    let error = withCStrings(command) { arguments in
      withCStrings(environment.map { $0.key + "=" + $0.value }) { variables in
        posix_spawnp(&process, command[0], &actions, &attributes, arguments, variables)
      }
    }
    guard error == 0 else { throw .cannotStart(errno: error) }
    return process
  }
}

/// A pipe whose ends are closed with it and are not inherited.
private final class Pipe {
  let reader: Int32
  private(set) var writer: Int32

  init() throws(TerminalSessionError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .cannotStart(errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    closeWriter()
  }

  func closeWriter() {
    if writer >= 0 { close(writer) }
    writer = -1
  }

  /// Reads both to their ends, whichever has something first.
  static func drain(_ first: Pipe, _ second: Pipe) -> (String, String) {
    var descriptors = [first, second].map {
      pollfd(fd: $0.reader, events: Int16(POLLIN), revents: 0)
    }
    var bytes: [[UInt8]] = [[], []]
    while descriptors.contains(where: { $0.fd >= 0 }) {
      poll(&descriptors, 2, -1)
      for index in 0..<2 where descriptors[index].revents != 0 {
        let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
          count = max(0, read(descriptors[index].fd, buffer.baseAddress, buffer.count))
        }
        bytes[index] += piece
        if piece.isEmpty { descriptors[index].fd = -1 }
      }
    }
    return (String(decoding: bytes[0], as: UTF8.self), String(decoding: bytes[1], as: UTF8.self))
  }
}

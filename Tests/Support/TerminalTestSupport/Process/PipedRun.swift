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
  ///   - input: what it reads on standard input; no more than a pipe holds.
  /// - Throws: `TerminalSessionError.cannotStart`.
  package init(
    _ command: [String], environment: [String: String], input: String = ""
  ) throws(TerminalSessionError) {
    let inputPipe = try Pipe()
    inputPipe.write(input)
    let outputPipe = try Pipe()
    let errorPipe = try Pipe()
    let process = try spawn(
      command, environment: environment,
      [
        (inputPipe.reader, STDIN_FILENO), (outputPipe.writer, STDOUT_FILENO),
        (errorPipe.writer, STDERR_FILENO),
      ])
    outputPipe.closeWriter()
    errorPipe.closeWriter()
    (output, errors) = Pipe.drain(outputPipe, errorPipe)
    var status: Int32 = 0
    while wait4(process, &status, 0, nil) < 0, errno == EINTR {}
    exit = ProcessExit(waitStatus: status)
  }
}

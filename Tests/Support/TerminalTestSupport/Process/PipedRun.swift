import Glibc
import TestSupport

/// A run without a terminal: nothing on standard input, output and errors through pipes.
package struct PipedRun: Sendable {
  package let output: String
  package let errors: String
  package let exit: ProcessExit
  package let usage: ProcessUsage

  /// Runs a program to its end, in a session of its own so that it finds no terminal.
  ///
  /// - Parameters:
  ///   - command: path of the program and its arguments.
  ///   - environment: all of the program's environment.
  ///   - input: what it reads on standard input, all of it where that is more than a pipe holds.
  ///   - timeout: how long it may run; it is killed then.
  /// - Throws: `TerminalSessionError.cannotStart`, and `.timedOut`.
  package init(
    _ command: [String], environment: [String: String], input: String = "",
    timeout: Duration = RunningProgram.timeout
  ) throws(TerminalSessionError) {
    let inputPipe = try Pipe()
    inputPipe.write(input)
    let outputPipe = try Pipe()
    let errorPipe = try Pipe()
    let program = try spawn(
      command, environment: environment,
      [
        (inputPipe.reader, STDIN_FILENO), (outputPipe.writer, STDOUT_FILENO),
        (errorPipe.writer, STDERR_FILENO),
      ])
    outputPipe.closeWriter()
    errorPipe.closeWriter()
    let deadline = ContinuousClock.now + timeout
    do throws(TerminalSessionError) {
      (output, errors) = try Pipe.drain(outputPipe, errorPipe, until: deadline)
      guard let end = program.end(within: deadline - .now) else {
        throw .timedOut(waitingFor: "the end of \(command)", screen: [output, errors])
      }
      exit = ProcessExit(waitStatus: end.status)
      usage = ProcessUsage(end.usage)
    } catch {
      program.kill()
      throw error
    }
  }
}

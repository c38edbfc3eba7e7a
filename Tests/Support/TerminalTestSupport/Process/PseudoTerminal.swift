internal import CPseudoTerminal
import Glibc
import TestSupport

/// A program in a pseudo terminal, seen from the terminal's side as raw bytes.
///
/// Nothing is interpreted and nothing is waited for but the pseudo terminal itself, so it is fit for
/// measuring. The program is killed when the value goes away.
package final class PseudoTerminal {
  /// What one wait brought.
  package enum Reading {
    case bytes([UInt8])
    case silence
    case ended
  }

  private let program: RunningProgram
  private let slave: Int32
  private var master: Int32
  private var unsent: [UInt8] = []
  private var hasEnded = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: path or name of the program, and its arguments.
  ///   - environment: all of the program's environment.
  ///   - size: size of the terminal at the start.
  /// - Throws: `TerminalSessionError.cannotStart` when there is no pseudo terminal or process left.
  package init(
    _ command: [String], environment: [String: String], size: TerminalSize
  ) throws(TerminalSessionError) {
    let variables = environment.map { $0.key + "=" + $0.value }
    var child = pseudo_terminal_child()
    let error = withCStrings(command) { arguments in
      withCStrings(variables) { variables in
        pseudo_terminal_spawn(
          arguments[0], arguments, variables, UInt16(size.columns), UInt16(size.rows), &child)
      }
    }
    guard error == 0 else { throw .cannotStart(errno: error) }
    do throws(UnexpectedError) {
      program = try RunningProgram(child.process)
    } catch {
      close(child.master)
      close(child.slave)
      throw .cannotStart(errno: EMFILE)
    }
    master = child.master
    slave = child.slave
  }

  deinit {
    program.kill()
    hangUp()
    close(slave)
  }

  package var process: Int32 { program.identifier }

  /// Sends bytes to the program, as if typed.
  ///
  /// What the pseudo terminal does not take at once is sent by the next calls of `read`.
  package func write(_ bytes: [UInt8]) {
    unsent += bytes
    flush()
  }

  /// Waits for the next output, for the program's end, or for the deadline.
  package func read(until deadline: ContinuousClock.Instant) -> Reading {
    while true {
      if let bytes = poll(until: deadline) { return .bytes(bytes) }
      if hasEnded { return .ended }
      if ContinuousClock.now >= deadline { return .silence }
    }
  }

  package func resize(to size: TerminalSize) {
    var window = winsize(
      ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
  }

  /// Makes the terminal take no more output until the test reads, as a stopped or stuck terminal does.
  ///
  /// Terminals show nothing for the bytes that fill it (NUL).
  package func stopTakingOutput() {
    // The program has the same open file as `slave`, so this needs one of its own that waits for nothing.
    let filling = open("/proc/self/fd/\(slave)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard filling >= 0 else { return }
    defer { close(filling) }
    let bytes = [UInt8](repeating: 0, count: 4_096)
    var room = pollfd(fd: filling, events: Int16(POLLOUT), revents: 0)
    // The kernel moves what was written on to the other side, which makes room a few times more.
    while Glibc.poll(&room, 1, 100) > 0 {
      while Glibc.write(filling, bytes, bytes.count) > 0 {}
    }
  }

  /// Waits for the program's end and takes none of its output.
  ///
  /// - Parameter timeout: how long to wait.
  /// - Returns: how it ended; nil where it has not.
  package func end(within timeout: Duration) -> ProcessExit? {
    program.end(within: timeout).map { ProcessExit(waitStatus: $0.status) }
  }

  /// Sends a signal to the program.
  package func signal(_ number: Int32) { program.signal(number) }

  /// Closes the terminal, as closing its window does.
  package func hangUp() {
    if master >= 0 { close(master) }
    master = -1
  }

  /// The line discipline's settings as they are now, also after the program's end.
  package var settings: LineSettings {
    var settings = termios()
    tcgetattr(slave, &settings)
    return LineSettings(settings)
  }

  /// The end of a program after `read` has said `ended`; waits for it otherwise.
  ///
  /// - Throws: `TerminalSessionError.timedOut` where it does not end.
  package func waitForEnd() throws(TerminalSessionError) -> (
    exit: ProcessExit, usage: ProcessUsage
  ) {
    guard let end = program.end(within: RunningProgram.timeout) else {
      throw .timedOut(waitingFor: "the end of process \(process)", screen: [])
    }
    return (ProcessExit(waitStatus: end.status), ProcessUsage(end.usage))
  }
}

extension PseudoTerminal {
  /// One wait for either descriptor.
  private func poll(until deadline: ContinuousClock.Instant) -> [UInt8]? {
    let wantsRoom: Int16 = unsent.isEmpty ? 0 : Int16(POLLOUT)
    var descriptors = [
      pollfd(fd: master, events: Int16(POLLIN) | wantsRoom, revents: 0),
      pollfd(fd: hasEnded ? -1 : program.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = hasEnded ? 0 : DescriptorWait.milliseconds(until: deadline)
    guard Glibc.poll(&descriptors, 2, milliseconds) > 0 else { return nil }
    if descriptors[0].revents & Int16(POLLIN) != 0 { return receive() }
    if descriptors[1].revents != 0 { hasEnded = true }
    flush()
    return nil
  }

  private func receive() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, Glibc.read(master, buffer.baseAddress, buffer.count))
    }
  }

  private func flush() {
    while !unsent.isEmpty {
      let sent = unsent.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) }
      guard sent > 0 else { return }
      unsent.removeFirst(sent)
    }
  }
}

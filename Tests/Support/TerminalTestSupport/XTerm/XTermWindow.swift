internal import CPseudoTerminal
import Glibc
import TestSupport

/// A real xterm on a display of its own: it shows the bytes that it gets.
///
/// It stands at the master side of a pseudo terminal whose slave side is held here, so that no
/// program runs in it, and its answers can be waited for.
package final class XTermWindow {
  private let display: VirtualDisplay
  private let program: Companion
  private let slave: Int32
  /// The size of a cell, as it answers itself.
  package let cell: (width: Int, height: Int)
  /// The device attributes that it answers.
  package let attributes: String

  private static let timeout = RunningProgram.timeout

  /// Terminal that it stands for.
  package enum Model: String {
    /// With sixel graphics.
    case vt340
    /// With left and right margins.
    case vt420
  }

  /// - Parameters:
  ///   - model: what it can do.
  ///   - size: cells of the window.
  ///   - folder: where the display's pixels go.
  /// - Throws: `TerminalSessionError.cannotStart`, also where Xvfb or xterm is missing.
  package init(_ model: Model, size: TerminalSize, in folder: String) throws(TerminalSessionError) {
    display = try VirtualDisplay(in: folder)
    var (master, slave): (Int32, Int32) = (-1, -1)
    let error = pseudo_terminal_open(UInt16(size.columns), UInt16(size.rows), &master, &slave)
    guard error == 0 else { throw .cannotStart(errno: error) }
    defer { close(master) }
    self.slave = slave
    var settings = termios()
    tcgetattr(slave, &settings)
    cfmakeraw(&settings)
    tcsetattr(slave, TCSANOW, &settings)
    _ = fcntl(slave, F_SETFL, O_NONBLOCK)
    program = try Self.start(model, size, on: display.name, master)
    // It begins by telling the number of its window.
    _ = try Self.answer("".utf8, endingWith: "\n", on: slave)
    let cell = try Self.answer("\u{1B}[16t".utf8, endingWith: "t", on: slave)
      .dropLast().split(separator: ";").compactMap { Int($0) }
    guard cell.count == 2 else { throw .cannotStart(errno: EPROTO) }
    self.cell = (cell[1], cell[0])
    attributes = String(
      try Self.answer("\u{1B}[c".utf8, endingWith: "c", on: slave).dropFirst(3).dropLast())
  }

  deinit { close(slave) }

  /// Shows bytes and waits until they are on the display.
  package func show(_ bytes: some Sequence<UInt8>) throws(TerminalSessionError) {
    // To know whether it is an icon, xterm must ask the display, which answers in order.
    _ = try Self.answer(
      Array(bytes) + "\u{1B}[11t".utf8, endingWith: "\u{1B}[1t", on: slave)
  }

  /// Makes the window smaller: what a larger one uncovers is drawn at a time of xterm's choosing.
  package func resize(to size: TerminalSize) throws(TerminalSessionError) {
    try show("\u{1B}[8;\(size.rows);\(size.columns)t".utf8)
  }

  /// The whole display; the window's first cell stands in its top left corner.
  package func screenshot() throws(TerminalSessionError) -> WindowDump {
    guard let dump = display.screenshot() else { throw .cannotStart(errno: EPROTO) }
    return dump
  }

  private static func start(
    _ model: Model, _ size: TerminalSize, on display: String, _ master: Int32
  ) throws(TerminalSessionError) -> Companion {
    let itsMaster: Int32 = 3
    let words = [
      "xterm", "-S\(pseudo_terminal_number(master))/\(itsMaster)", "-ti", model.rawValue, "-u8",
      "-fn",
      "fixed", "-fb", "fixed",
      "-b", "0", "-bw", "0", "+sb", "-bg", "black", "-fg", "white",
      "-geometry", "\(size.columns)x\(size.rows)+0+0",
      "-xrm", "XTerm*allowWindowOps: true", "-xrm", "XTerm*disallowedWindowOps:",
    ]
    return try Companion(
      words, environment: ["PATH": "/usr/bin:/bin", "DISPLAY": display, "LANG": "C.UTF-8"],
      [(master, itsMaster)])
  }

  /// Sends and receives at once, so that neither side waits for the other.
  private static func answer(
    _ question: some Sequence<UInt8>, endingWith end: String, on slave: Int32
  ) throws(TerminalSessionError) -> String {
    let deadline = ContinuousClock.now + timeout
    var unsent = Array(question)[...]
    var answer: [UInt8] = []
    while !answer.reversed().starts(with: end.utf8.reversed()) {
      guard ContinuousClock.now < deadline else {
        throw .timedOut(waitingFor: "xterm", screen: [])
      }
      let events = Int16(POLLIN) | (unsent.isEmpty ? 0 : Int16(POLLOUT))
      var descriptor = pollfd(fd: slave, events: events, revents: 0)
      poll(&descriptor, 1, 1_000)
      if descriptor.revents & Int16(POLLOUT) != 0 {
        let sent = unsent.withUnsafeBytes { Glibc.write(slave, $0.baseAddress, $0.count) }
        unsent = unsent.dropFirst(max(0, sent))
      }
      guard descriptor.revents & Int16(POLLIN) != 0 else { continue }
      answer += [UInt8](unsafeUninitializedCapacity: 1 << 12) { buffer, count in
        count = max(0, Glibc.read(slave, buffer.baseAddress, buffer.count))
      }
    }
    return String(decoding: answer, as: UTF8.self)
  }
}

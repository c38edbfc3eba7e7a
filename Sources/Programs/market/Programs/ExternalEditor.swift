internal import CSpawn
import Dispatch
import Glibc
import MarketViewModels
import Posix
import Synchronization

/// Runs `$VISUAL` or `$EDITOR` on a text, in a file that only its owner may read.
///
/// What the variable holds is a command of the shell, with arguments and quotes if need be (POSIX,
/// `EDITOR`); the file's name is handed over beside it and never read as a command.
final class ExternalEditor {
  /// Whether it did not end when it was told to; it may have left the terminal in any mode.
  private(set) var wasKilled = false
  private let environment: (String) -> String?
  private var program: ForegroundProgram?
  private var isEnding = false

  init(environment: @escaping (String) -> String?) {
    self.environment = environment
  }

  private static let maxTextLength = 8 << 20

  /// What a shell ends with where it finds no such program (POSIX, "Exit Status for Commands").
  private static let notFound: Int32 = 127

  /// How long an editor has to end when it is told to.
  private static let timeout = DispatchTimeInterval.milliseconds(500)

  /// Gives the editor the terminal until it ends.
  ///
  /// - Returns: what came of it; where it was told to end, what it had written by then.
  func edit(_ text: String) async -> EditorOutcome {
    guard case .success(let folder) = ExternalProgram.makePrivateFolder(environment) else {
      return .failed
    }
    let file = folder + "/description.txt"
    defer {
      // Editors may have left copies of their own.
      for entry in Folder.entries(of: folder) { unlink(folder + "/" + entry.name) }
      rmdir(folder)
    }
    guard (try? PrivateFile.write(Array((text + "\n").utf8), to: file)) != nil else {
      return .failed
    }
    switch await run(on: file) {
    case 0: return outcome(in: file, of: text)
    case _ where isEnding:
      let outcome = outcome(in: file, of: text)
      return outcome == .text("") || outcome == .text(text) ? .failed : outcome
    case Self.notFound: return .none
    default: return .failed
    }
  }

  /// Tells the editor to end by a signal, and ends it where it does not.
  func end(by signal: Int32) {
    isEnding = true
    program?.end(by: signal)
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.timeout) {
      MainActor.assumeIsolated {
        if self.program?.send(SIGKILL) == true { self.wasKilled = true }
      }
    }
  }

  /// The program goes on after a stop: the terminal is still the editor's.
  func resume() { program?.takeTerminal() }

  private func outcome(in file: String, of text: String) -> EditorOutcome {
    guard let bytes = try? PrivateFile.read(file, limit: Self.maxTextLength) else { return .failed }
    return .text(Self.text(bytes, editedFrom: text))
  }

  /// The text of a file; the one that was edited where the editor has changed line ends alone.
  static func text(_ bytes: [UInt8], editedFrom text: String) -> String {
    let content = String(decoding: bytes, as: UTF8.self)
    // Some editors write a byte order mark with CRLF, which nobody typed.
    let isMarked = content.unicodeScalars.first == "\u{FEFF}" && text.first != "\u{FEFF}"
    var edited = withPlainLines(isMarked ? String(content.unicodeScalars.dropFirst()) : content)
    let written = withPlainLines(text + "\n")
    if edited == written || edited + "\n" == written { return text }
    // Editors end a file with a line break; it belongs to the file, not to the text.
    if edited.hasSuffix("\n") { edited.removeLast() }
    return edited
  }

  /// A text with LF for CRLF and CR.
  private static func withPlainLines(_ text: String) -> String {
    text.unicodeScalars.contains("\r")
      ? String(text.map { $0 == "\r" || $0 == "\r\n" ? "\n" : $0 }) : text
  }

  /// The editor's command.
  private var command: String {
    [environment("VISUAL"), environment("EDITOR")].compactMap(\.self)
      .first { $0.contains { !$0.isWhitespace } } ?? "vi"
  }

  /// Runs the editor on a file: its exit status, or nil where it did not start or a signal ended
  /// it.
  private func run(on file: String) async -> Int32? {
    let words = ["sh", "-c", command + " \"$@\"", command, file]
    guard case .success(let child) = ExternalProgram.start(words) else { return nil }
    let program = ForegroundProgram(child)
    self.program = program
    let own = getpgrp()
    // Else a change of the terminal's group would stop this program, which is not in it.
    let before = signal(SIGTTOU, SIG_IGN)
    program.takeTerminal()
    let status = await program.waitForEnd()
    tcsetpgrp(STDIN_FILENO, own)
    _ = signal(SIGTTOU, before)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }
}

/// Program that leads a process group of its own and has the terminal, so that its Ctrl-C reaches it
/// alone.
private nonisolated final class ForegroundProgram: Sendable {
  private struct State {
    /// False once its remains are gone, when its number may be another's.
    var isThere = true
    var isEnding = false
    /// Whether this program stops with it, until both go on.
    var isStopping = false
  }

  private let process: pid_t
  /// The terminal's modes, which a program that stops may leave changed.
  private let modes: termios?
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "market.editor")

  /// Milliseconds between two looks whether the program has stopped.
  private static let lookInterval: Int32 = 200

  init(_ process: pid_t) {
    self.process = process
    var modes = termios()
    self.modes = tcgetattr(STDIN_FILENO, &modes) == 0 ? modes : nil
  }

  /// Gives it the terminal, and lets it go on where it was stopped.
  func takeTerminal() {
    tcsetpgrp(STDIN_FILENO, process)
    send(SIGCONT)
    state.withLock { $0.isStopping = false }
  }

  /// Sends a signal to all of its group, stopped or not; false where it has ended.
  @discardableResult
  func send(_ number: Int32) -> Bool {
    state.withLock { state in
      guard state.isThere else { return false }
      kill(-process, number)
      kill(-process, SIGCONT)
      return true
    }
  }

  /// Tells all of its group to end, which is then waited for.
  func end(by signal: Int32) {
    state.withLock { $0.isEnding = true }
    send(signal)
  }

  /// Waits for its end, on a queue of its own.
  ///
  /// - Returns: the word that `waitpid` fills (wait(2)).
  func waitForEnd() async -> Int32 {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.wait()) }
    }
  }

  private func wait() -> Int32 {
    let handle = pidfd_open(process, 0)
    defer { if handle >= 0 { close(handle) } }
    while true {
      var end = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
      poll(&end, 1, Self.lookInterval)
      var status: Int32 = 0
      // Its number is its own until its remains are taken away, under the lock.
      let result = state.withLock { state in
        let result = waitpid(process, &status, WNOHANG)
        if result != 0, result == process || errno != EINTR { state.isThere = state.isEnding }
        return result
      }
      if result == process {
        waitForGroup()
        return status
      }
      if result < 0, errno != EINTR { return -1 }
      if ProcessGroup(leader: process).hasStopped { stop() }
    }
  }

  /// Stops this program with the one that has stopped, so that the shell has the terminal until `fg`;
  /// where no shell waits, the other one goes on at once.
  private func stop() {
    guard ProcessGroup(leader: getpgrp()).hasShell else { return takeTerminal() }
    let isFirst = state.withLock { state in
      defer { state.isStopping = true }
      return !state.isStopping && !state.isEnding
    }
    guard isFirst else { return }
    if var modes { tcsetattr(STDIN_FILENO, TCSANOW, &modes) }
    // As from outside: passwords are forgotten before.
    kill(getpid(), SIGTSTP)
  }

  /// Waits until nothing is left of its group, if that was told to end: a shell ends before the editor
  /// that it started, whose end nobody tells.
  private func waitForGroup() {
    var rest = 100
    while rest > 0, state.withLock({ $0.isEnding }), kill(-process, 0) == 0 {
      usleep(10_000)
      rest -= 1
    }
    state.withLock { $0.isThere = false }
  }
}

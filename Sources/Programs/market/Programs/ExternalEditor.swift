internal import CSpawn
import Dispatch
import Glibc
import MarketViewModels
import Posix
import Synchronization

/// Runner of `$VISUAL` or `$EDITOR` on a text, in a file that only its owner can read.
///
/// The variable holds a shell command, possibly with arguments and quotes (POSIX, `EDITOR`); the file's
/// name is passed as an argument and never parsed by the shell.
final class ExternalEditor {
  /// Whether the editor had to be killed; the terminal may then be in any mode.
  private(set) var wasKilled = false
  private let environment: (String) -> String?
  private var program: ForegroundProgram?
  private var isEnding = false

  init(environment: @escaping (String) -> String?) {
    self.environment = environment
  }

  /// Maximum bytes of the edited file; a larger one is a failure.
  private static let maxTextLength = 8 << 20

  /// Exit status of a shell that does not find the program (POSIX, "Exit Status for Commands").
  private static let notFound: Int32 = 127

  /// Maximum time for the editor to end after a signal; then it is killed.
  private static let timeout = DispatchTimeInterval.milliseconds(500)

  /// Runs the editor in the foreground until it ends.
  ///
  /// - Returns: the edited text or a failure; after `end(by:)` the text as last saved.
  func edit(_ text: String) async -> EditorOutcome {
    guard case .success(let folder) = ExternalProgram.makePrivateFolder(environment) else {
      return .failed
    }
    let file = folder + "/description.txt"
    defer {
      // Editors may have left backup files.
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

  /// Ends the editor with a signal, and kills it if it does not end.
  func end(by signal: Int32) {
    isEnding = true
    program?.end(by: signal)
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.timeout) {
      MainActor.assumeIsolated {
        if self.program?.send(SIGKILL) == true { self.wasKilled = true }
      }
    }
  }

  /// Called when the program continues after a stop; gives the terminal back to the editor.
  func resume() { program?.takeTerminal() }

  private func outcome(in file: String, of text: String) -> EditorOutcome {
    guard let bytes = try? PrivateFile.read(file, limit: Self.maxTextLength) else { return .failed }
    return .text(Self.text(bytes, editedFrom: text))
  }

  /// Text of the edited file; the original text if the editor changed line ends only.
  static func text(_ bytes: [UInt8], editedFrom text: String) -> String {
    let content = String(decoding: bytes, as: UTF8.self)
    // Some editors add a byte order mark with CRLF.
    let isMarked = content.unicodeScalars.first == "\u{FEFF}" && text.first != "\u{FEFF}"
    var edited = withPlainLines(isMarked ? String(content.unicodeScalars.dropFirst()) : content)
    let written = withPlainLines(text + "\n")
    if edited == written || edited + "\n" == written { return text }
    // Editors end a file with a line break, which is not part of the text.
    if edited.hasSuffix("\n") { edited.removeLast() }
    return edited
  }

  /// Text with LF for CRLF and CR.
  private static func withPlainLines(_ text: String) -> String {
    text.unicodeScalars.contains("\r")
      ? String(text.map { $0 == "\r" || $0 == "\r\n" ? "\n" : $0 }) : text
  }

  /// Editor's command; `vi` by default.
  private var command: String {
    [environment("VISUAL"), environment("EDITOR")].compactMap(\.self)
      .first { $0.contains { !$0.isWhitespace } } ?? "vi"
  }

  /// Runs the editor on a file; returns its exit status, nil if it did not start or was ended by a
  /// signal.
  private func run(on file: String) async -> Int32? {
    let words = ["sh", "-c", command + " \"$@\"", command, file]
    guard case .success(let child) = ExternalProgram.start(words) else { return nil }
    let program = ForegroundProgram(child)
    self.program = program
    let own = getpgrp()
    // Without it, changing the terminal's foreground group would stop this program, which is not in it.
    let before = signal(SIGTTOU, SIG_IGN)
    program.takeTerminal()
    let status = await program.waitForEnd()
    tcsetpgrp(STDIN_FILENO, own)
    _ = signal(SIGTTOU, before)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }
}

/// Child process in the foreground of the terminal, with its own process group, so that Ctrl-C reaches
/// it alone.
private nonisolated final class ForegroundProgram: Sendable {
  private struct State {
    /// False after the process was reaped, when its id may be reused.
    var isThere = true
    var isEnding = false
    /// Whether this program is stopping with the child, until both continue.
    var isStopping = false
  }

  private let process: pid_t
  /// Terminal modes to restore, since a stopped program may have changed them; nil without a terminal.
  private let modes: termios?
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "market.editor")

  /// Milliseconds between two checks whether the child has stopped.
  private static let lookInterval: Int32 = 200

  init(_ process: pid_t) {
    self.process = process
    var modes = termios()
    self.modes = tcgetattr(STDIN_FILENO, &modes) == 0 ? modes : nil
  }

  /// Puts the child in the foreground, and continues it if it was stopped.
  func takeTerminal() {
    tcsetpgrp(STDIN_FILENO, process)
    send(SIGCONT)
    state.withLock { $0.isStopping = false }
  }

  /// Sends a signal to the child's group, stopped or not; false if the child has ended.
  @discardableResult
  func send(_ number: Int32) -> Bool {
    state.withLock { state in
      guard state.isThere else { return false }
      kill(-process, number)
      kill(-process, SIGCONT)
      return true
    }
  }

  /// Ends the child's group with a signal; `waitForEnd()` then waits for the whole group.
  func end(by signal: Int32) {
    state.withLock { $0.isEnding = true }
    send(signal)
  }

  /// Waits for the child on a queue of its own.
  ///
  /// - Returns: the status of `waitpid` (wait(2)).
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
      // The process id stays valid until it is reaped, under the lock.
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

  /// Stops this program with the stopped child, so that the shell has the terminal until `fg`; without
  /// a shell the child is continued at once.
  private func stop() {
    guard ProcessGroup(leader: getpgrp()).hasShell else { return takeTerminal() }
    let isFirst = state.withLock { state in
      defer { state.isStopping = true }
      return !state.isStopping && !state.isEnding
    }
    guard isFirst else { return }
    if var modes { tcsetattr(STDIN_FILENO, TCSANOW, &modes) }
    // As a signal from outside: the handler erases passwords first.
    kill(getpid(), SIGTSTP)
  }

  /// Waits up to one second for the rest of an ending group: a shell may end before the editor that it
  /// started.
  private func waitForGroup() {
    var rest = 100
    while rest > 0, state.withLock({ $0.isEnding }), kill(-process, 0) == 0 {
      usleep(10_000)
      rest -= 1
    }
    state.withLock { $0.isThere = false }
  }
}

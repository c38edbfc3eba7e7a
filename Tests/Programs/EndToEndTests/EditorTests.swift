import Expectations
import Glibc
import TerminalTestSupport
import TestSupport
import Testing

/// The seller's own editor, which has the terminal while the program waits.
@Suite(.ownThread) struct EditorTests {
  /// Opens the form of a new product and its description in an editor that never ends by itself.
  ///
  /// - Parameters:
  ///   - program: what it is opened from.
  ///   - script: what the editor does before it waits; `$1` is the file.
  /// - Returns: the session, in which the editor is open.
  /// - Throws: where it does not open.
  private func editing(
    _ program: MarketProgram, _ script: String = ""
  ) throws -> TerminalSession {
    let text = """
      #!/bin/sh
      echo $$ > '\(program.path(of: "editor.pid"))'
      \(script)
      echo the editor is open
      exec sleep 1000

      """
    let session = try describing(program, editor: text)
    try session.wait(forText: "a description")
    session.type("<C-e>")
    try session.wait(forText: "the editor is open")
    return session
  }

  /// Types a description into a new form of a program whose editor is a script.
  private func describing(
    _ program: MarketProgram, editor script: String
  ) throws -> TerminalSession {
    try program.addFile("editor", script)
    let session = try program.open(
      "--language", "en", environment: ["VISUAL": program.path(of: "editor")])
    try session.wait(forText: "Ware 001")
    session.type("n")
    try session.wait(forText: "0/5")
    session.type("<BackTab><BackTab><BackTab><BackTab><BackTab>a description")
    return session
  }

  /// Whether the editor runs; of one that has ended something may be left until the system has noticed.
  private func isEditorAlive(_ program: MarketProgram) throws -> Bool {
    let bytes = try FileContent(of: program.path(of: "editor.pid")).bytes
    let process = String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber }
    guard let status = try? FileContent(of: "/proc/\(process)/status").bytes else { return false }
    return !String(decoding: status, as: UTF8.self).contains("State:\tZ")
  }

  /// Opens the draft that was left in a new run.
  private func expectDraft(of text: String, _ program: MarketProgram) throws {
    let session = try program.open("--language", "en")
    try session.wait(forText: "Ware 001")
    session.type("n")
    try session.wait(forText: "New product")
    session.type("<Enter>")
    try session.wait(forText: text)
  }

  @Test(
    arguments: [SIGTERM, SIGHUP, SIGINT], ["", "trap '' TERM HUP INT"])
  func `a signal ends the program and the editor, and keeps the draft`(
    number: Int32, script: String
  ) async throws {
    let program = try await MarketProgram()
    let session = try editing(program, script)

    session.terminal.signal(number)

    let status: Int32 = number == SIGHUP ? 1 : 0
    try expect(session.waitForExit(), .exited(status: status))
    #expect(try !isEditorAlive(program))
    try expectDraft(of: "a description", program)
    expect(session.unrestored, [])
  }

  @Test func `a closed terminal ends the program and the editor`() async throws {
    let program = try await MarketProgram()
    let session = try editing(program)

    session.terminal.hangUp()

    #expect(session.terminal.end(within: RunningProgram.timeout) != nil)
    #expect(try !isEditorAlive(program))
    try expectDraft(of: "a description", program)
  }

  @Test func `what the editor had written by then is in the draft`() async throws {
    let program = try await MarketProgram()
    let session = try editing(program, "echo 'written by the editor' > \"$1\"")

    session.terminal.signal(SIGTERM)

    _ = try session.waitForExit()
    try expectDraft(of: "written by the editor", program)
  }

  @Test func `an editor that is stopped goes on, and the form gets its text`() async throws {
    let program = try await MarketProgram()
    let text = """
      #!/bin/sh
      kill -STOP 0
      echo 'written after the stop' > "$1"

      """
    let session = try describing(program, editor: text)

    session.type("<C-e><Tab><Tab><Tab>")

    try session.wait(forText: "written after the stop")
    session.type("typed ahead")
    try session.wait(forText: "•••••••••••")
  }

  /// An editor that stops itself alone, in a process of its own, and writes when it goes on.
  private static let stopping = """
    #!/bin/sh
    sh -c 'stty raw -echo; echo the editor stops; kill -STOP $$; echo going on'
    echo 'written after the stop' > "$1"

    """

  @Test func `an editor that stops itself alone goes on where there is no shell`() async throws {
    let program = try await MarketProgram()
    let session = try describing(program, editor: Self.stopping)

    session.type("<C-e>")

    try session.wait(forText: "written after the stop")
  }

  @Test func `an editor that stops itself alone leaves the shell, and fg brings it back`()
    async throws
  {
    let program = try await MarketProgram()
    try program.addFile("editor", Self.stopping)
    let session = try program.openInShell(
      "--language", "en", environment: ["VISUAL": program.path(of: "editor")])
    try session.wait(forText: "Ware 001")
    session.type("n")
    try session.wait(forText: "0/5")
    session.type("<BackTab><BackTab><BackTab><BackTab><BackTab>a description<C-e>")

    try session.wait(forText: "Stopped")
    session.type("echo in the ''shell<Enter>")
    try session.wait(forText: "in the shell")
    session.type("fg<Enter>")

    try session.wait(forText: "written after the stop")
  }
}

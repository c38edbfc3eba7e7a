import Expectations
import TerminalTestSupport
import Testing

struct TerminalSessionTests {
  private let environment = [
    "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
  ]

  private func session(
    _ script: String, persona: TerminalPersona = .dark
  ) throws -> TerminalSession {
    try TerminalSession(["sh", "-c", script], environment: environment, persona: persona)
  }

  @Test func `what a program writes is seen with its place and its attributes`() throws {
    let session = try session(#"printf '\033[2;3H\033[1;31m한글\033[0m.'; read line"#)

    try session.wait(forText: "한글.")

    expect(session.screen.lines[1], "  한글.")
    let cell = session.screen.cell(row: 1, column: 2)
    #expect(cell.text == "한" && cell.width == 2 && cell.isBold)
    #expect(cell.foreground == .indexed(1) && cell.background == .terminalDefault)
    #expect(session.screen.cursor == (1, 7))
  }

  @Test func `no size and no output is too much for the emulator`() {
    let screen = EmulatorScreen(size: .standard)
    let pieces = [
      "가", "a", "\n", "\u{1b}[K", "\u{1b}[X", "\u{1b}7", "\u{1b}8", "\u{1b}[H", "\u{1b}[9;99H",
    ]
    var parser = OutputParser()

    for step in 0..<2_000 {
      let position = step * 7_919
      if step % 5 == 0 {
        screen.resize(to: TerminalSize(columns: position % 13 % 7 + 1, rows: position % 11 % 4 + 1))
      }
      for token in parser.parse(Array(pieces[position % pieces.count].utf8)) { screen.show(token) }
    }

    expect(screen.lines.count, screen.size.rows)
  }

  @Test func `keys reach the program and its end is seen`() throws {
    let session = try session(#"read line; echo "got $line"; exit 3"#)

    session.type("사과<Enter>")

    try session.wait(forText: "got 사과")
    try expect(session.waitForExit(), .exited(status: 3))
    expect(session.unrestored, [])
  }

  @Test func `a terminal that is left in disorder is told about`() throws {
    let session = try session(#"printf '\033[?1049h\033[?25l\033[?2004h'; stty raw -echo"#)

    _ = try session.waitForExit()

    expect(
      session.unrestored,
      [
        "alternate screen", "bracketed paste", "hidden cursor", "raw input", "no echo",
        "no signals from keys", "raw output",
      ])
  }

  @Test func `questions are answered in the order in which they come`() throws {
    let question =
      #"stty raw -echo; printf '\033]11;?\033\\\033[c'; dd bs=1 count=34 | od -An -c -w40; stty sane"#

    let session = try session(question, persona: .light)

    try session.wait(forText: #"\ 033   [   ?   6   2"#)
  }

  @Test func `a new size reaches the program`() throws {
    let session = try session("trap 'stty size' WINCH; echo ready; while :; do read line; done")
    try session.wait(forText: "ready")

    session.resize(to: TerminalSize(columns: 133, rows: 41))

    try session.wait(forText: "41 133")
  }

  @Test func `a closed window hangs up`() throws {
    let session = try session("echo ready; read line; echo never")
    try session.wait(forText: "ready")

    session.terminal.hangUp()

    try expect(session.waitForExit(), .killed(signal: 1))
  }

  @Test func `half a frame is not looked at`() throws {
    let session = try session(
      #"printf '\033[?2026h1'; read line; printf '2\033[?2026l'; read line"#)
    session.type("<Enter>")

    try session.wait(forText: "1")

    #expect(session.screen.contains("2"))
  }

  @Test func `a repeated character is shown as often`() throws {
    let session = try session(#"printf '=\033[9b|'; read line"#)

    try session.wait(forText: "==========|")
  }

  @Test func `one that writes without end is waited for no longer than one that is silent`() throws
  {
    let session = try session("yes")

    #expect(throws: TerminalSessionError.self) {
      try session.wait(for: "the end of it", timeout: .milliseconds(100)) { _ in false }
    }
    #expect(throws: TerminalSessionError.self) {
      try session.waitForExit(timeout: .milliseconds(200))
    }
  }
}

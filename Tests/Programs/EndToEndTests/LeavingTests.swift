import Expectations
import Glibc
import TerminalTestSupport
import Testing

@Suite(.ownThread) struct LeavingTests {
  @Test(arguments: ["q", "<C-c>"] as [KeyScript])
  func `keys that quit restore the terminal`(keys: KeyScript) async throws {
    let session = try await MarketProgram().open()
    try session.wait(forText: "₩")

    session.type(keys)

    try expect(session.waitForExit(), .exited(status: 0))
    expect(session.unrestored, [])
  }

  @Test(arguments: [
    SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGUSR1, SIGUSR2,
    SIGALRM, SIGXCPU,
  ])
  func `signals that end the program leave a restored terminal`(number: Int32) async throws {
    let session = try await MarketProgram().open()
    try session.wait(forText: "₩")

    session.terminal.signal(number)

    _ = try session.waitForExit()
    expect(session.unrestored, [])
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal does not wait for the keys that came before it`(number: Int32) async throws {
    let session = try await MarketProgram().open()
    try session.wait(forText: "₩")

    // Many seconds of work.
    session.type(KeyScript(bytes: Array(String(repeating: "jk", count: 30_000).utf8)))
    session.terminal.signal(number)

    _ = try session.waitForExit()
    expect(session.unrestored, [])
  }

  @Test func `a crash asks nothing, also where Swift is installed`() async throws {
    let session = try await MarketProgram().open(
      environment: ["SWIFT_BACKTRACE": nil, "ASAN_OPTIONS": nil, "TSAN_OPTIONS": nil])
    try session.wait(forText: "₩")
    // After a crash no program reads the answers that the terminal still sends.
    session.comeToRest()

    session.terminal.signal(SIGSEGV)

    try expect(session.waitForExit(), .killed(signal: SIGSEGV))
    expect(session.unrestored, [])
    expect(session.screen.lines.joined(), "")
  }

  @Test func `a crash leaves no file with passwords in it`() async throws {
    let session = try await MarketProgram().open()
    try session.wait(forText: "₩")

    let limits = ProcessInformation(of: session.terminal.process).coreFileLimits

    expect(limits, ["0", "0"])
  }

  @Test(arguments: [SIGPIPE, SIGXFSZ])
  func `signals of failed writes do not end the program`(number: Int32) async throws {
    let session = try await MarketProgram().open()
    try session.wait(forText: "₩")

    session.terminal.signal(number)
    session.type("q")

    try expect(session.waitForExit(), .exited(status: 0))
  }

  @Test(arguments: ["", "<Enter>", "/war", "o", "?", "n", "<Enter>e", "P"] as [KeyScript])
  func `a closed window ends the program, whatever it shows`(keys: KeyScript) async throws {
    let session = try await MarketProgram().open()
    try session.wait(forText: "₩")
    session.type(keys)
    _ = session.listen(for: .milliseconds(50))

    session.terminal.hangUp()

    _ = try session.waitForExit()
  }

  @Test func `quitting does not wait for what is being loaded`() async throws {
    let session = try await MarketProgram(nil).open()
    try session.wait(for: "anything") { $0.modes.isInAlternateScreen }

    session.type("q")

    try expect(session.waitForExit(), .exited(status: 0))
    expect(session.unrestored, [])
  }

  @Test func `a stopped program gives the shell back and continues where it was`() async throws {
    let session = try await MarketProgram().openInShell()
    try session.wait(forText: "₩")

    session.type("<C-z>")
    try session.wait(for: "the shell") {
      !$0.modes.isInAlternateScreen && $0.contains("Stopped")
    }
    let leftOn = session.screen.modes.leftOn
    session.resize(to: TerminalSize(columns: 100, rows: 30))
    session.type("fg<Enter>")

    try session.wait(for: "the market again") {
      $0.modes.isInAlternateScreen && $0.contains("Ware 001")
    }
    session.type("q")
    try session.wait(for: "the shell again") { !$0.modes.isInAlternateScreen }
    // The shell itself turns bracketed paste on.
    #expect(leftOn == ["bracketed paste"] || leftOn == [])
  }

  @Test func `where no shell waits, Ctrl-Z says so and the program goes on`() async throws {
    let session = try await MarketProgram().open("--language", "en")
    try session.wait(forText: "Ware 001")

    session.type("<C-z>")

    try session.wait(forText: "There is no shell to return to here; press q to quit")
    session.type("q")
    try expect(session.waitForExit(), .exited(status: 0))
  }

  @Test func `answers that come 0.4 seconds late do not reach the shell`() async throws {
    let session = try await MarketProgram().openInShell("--language", "en", persona: .silent)
    try session.wait(forText: "Ware 001")

    session.type("q")
    _ = session.listen(for: .milliseconds(400))
    // The one question that a terminal is asked before it has answered any.
    session.terminal.write(Array("\u{1B}[0n".utf8))

    try session.wait(for: "the shell") {
      !$0.modes.isInAlternateScreen && $0.lines.count { $0.hasPrefix("shell$") } == 2
    }
    session.type("echo don''e<Enter>")
    try session.wait(forText: "done")
    #expect(!session.screen.contains("62;22") && !session.screen.contains("rgb:"))
  }

  @Test func `answers that doctor gets a second late do not reach the shell`() async throws {
    let session = try await MarketProgram().openInShell("doctor", persona: .silent)
    try session.wait(for: "the questions") { _ in
      String(decoding: session.output, as: UTF8.self).contains("\u{1B}[c")
    }

    _ = session.listen(for: .seconds(1))
    session.terminal.write(Array("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?62;22c".utf8))
    try session.wait(forText: "62;22")
    session.type("echo don''e<Enter>")

    try session.wait(forText: "done")
    #expect(!session.screen.contains("rgb:"))
  }
}

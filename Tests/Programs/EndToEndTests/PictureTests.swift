import Expectations
import Glibc
import TerminalTestSupport
import TestSupport
import Testing

@Suite(.ownThread) struct PictureTests {
  private static let size = TerminalSize(columns: 100, rows: 30)
  /// Cells that pictures cover when all of the sample market's first page have come.
  private static let cellsOfFirstPage = 1_530
  /// Scrolls, menus over pictures, the other arrangement, the detail, and a picture over the window.
  private static let tour: [KeyScript] = [
    "jj", "o", "q", "k", "<PgDn>", "<PgUp>", "v", "v", "j<Enter>", "<Right>", "<Enter>", "<Right>",
    "q", "P", "q", "q", "/", "<Enter>", "G", "g",
  ]

  @Test func `sixels leave no ghost and no hole, whatever lies over them`() async throws {
    // So low that a step leaves little of the screen: ncurses seldom scrolls it, and pictures along.
    let size = TerminalSize(columns: 100, rows: 22)
    let cellsOfFirstPage = 1_300
    let session = try await MarketProgram(nil).open(
      "--view", "grid", size: size, persona: .sixel)
    try session.waitForSixels()

    for keys in Self.tour {
      session.type(keys)
      _ = session.listen(for: .milliseconds(30))
      try session.waitForSixels(atLeast: 0)
    }
    try session.waitForKeys()
    try session.waitForSixels(atLeast: cellsOfFirstPage)
    // A busy machine passes for a slow line, on which fine pictures come last.
    session.comeToRest()
    let inSteps = session.pictures.painted
    try session.resizeAndWait(to: TerminalSize(columns: 101, rows: 22))
    try session.resizeAndWait(to: size)
    try session.wait(for: "the same pictures as in steps") { _ in
      session.pictures.painted == inSteps
    }

    #expect(session.pictures.mistakes.allSatisfy { $0.hasPrefix("moves pictures") })
    session.type("q")
    try expect(session.waitForExit(), .exited(status: 0))
    #expect(session.pictures.painted.isEmpty)
  }

  @Test func `every placeholder has its picture, and none stays behind`() async throws {
    let session = try await MarketProgram(nil).open(
      "--view", "grid", size: Self.size, environment: ["TERM": "xterm-kitty"], persona: .kitty)
    try session.waitForPlaceholders()

    for keys in Self.tour {
      session.type(keys)
      _ = session.listen(for: .milliseconds(30))
      try session.waitForPlaceholders(atLeast: 0)
    }
    try session.waitForKeys()
    try session.waitForPlaceholders(atLeast: Self.cellsOfFirstPage)
    session.type("jkjk")
    try session.waitForKeys()
    try session.waitForPlaceholders(atLeast: Self.cellsOfFirstPage)

    #expect(session.pictures.mistakes.isEmpty)
    expect(session.pictures.repeats, 0)
    session.type("q")
    try expect(session.waitForExit(), .exited(status: 0))
    #expect(session.pictures.kept.isEmpty)
  }

  @Test func `a stopped program takes its pictures along and brings them back`() async throws {
    let session = try await MarketProgram(nil).openInShell(
      "--view", "grid", size: Self.size, environment: ["TERM": "xterm-kitty"], persona: .kitty)
    try session.waitForPlaceholders()

    session.type("<C-z>")
    try session.wait(forText: "Stopped")
    #expect(session.pictures.kept.isEmpty)
    session.type("fg<Enter>")

    try session.waitForPlaceholders()
  }

  @Test(arguments: [true, false])
  func `inside tmux kitty's pictures pass where that is allowed`(isAllowed: Bool) async throws {
    try #require(
      access("/usr/bin/tmux", X_OK) == 0, "this test needs tmux (Debian: tmux)")
    let market = try await MarketProgram(nil)
    let session = try market.openInTmux(
      allowingPassthrough: isAllowed, size: Self.size, persona: .kitty)

    if isAllowed {
      try session.waitForPlaceholders()
      #expect(session.pictures.transfers > 0)
    } else {
      try session.wait(for: "blocks") { $0.lines.joined().contains(where: "▀▄▌▐▘▝▖▗▚▞".contains) }
      expect(session.pictures.transfers, 0)
    }
    session.type("q")
    try session.wait(for: "its end") { $0.lines.joined().contains("the program has ended") }
    session.type("\r")
    _ = try session.waitForExit()
    #expect(session.pictures.kept.isEmpty)
  }

  @Test func `the settings file says how pictures are shown`() async throws {
    let program = try await MarketProgram(nil)
    try program.addFile("settings/market/settings.json", #"{ "pictures": "blocks" }"#)

    let session = try program.open(
      "--view", "grid", environment: ["XDG_CONFIG_HOME": program.path(of: "settings")],
      persona: .kitty)

    try session.wait(for: "blocks") { $0.lines.joined().contains(where: "▀▄▌▐▘▝▖▗▚▞".contains) }
    expect(session.pictures.transfers, 0)
  }

  @Test func `the viewer gets the path of a picture as one word`() async throws {
    let program = try await MarketProgram(nil)
    try program.addFile("bin/xdg-open", "#!/bin/sh\necho $# \"$1\" > \"$HOME/opened\"\n")
    mkfifo(program.path(of: "opened"), 0o600)
    let session = try program.open(
      "--view", "grid", "--language", "en",
      environment: [
        "PATH": program.path(of: "bin") + ":/usr/bin:/bin",
        "XDG_RUNTIME_DIR": program.path(of: "bin"),
      ])
    try session.wait(forText: "Road bike")

    session.type("<Enter>")
    try session.wait(forText: "1/")
    session.type("O")
    try session.wait(forText: "Opened in the desktop")

    let words = String(
      decoding: try FileContent(of: program.path(of: "opened")).bytes, as: UTF8.self)
    #expect(words.hasPrefix("1 " + program.path(of: "bin/market-picture-")))
    #expect(words.hasSuffix(".jpg\n") || words.hasSuffix(".webp\n"))
  }

  @Test func `a viewer that fails is told, with what to do`() async throws {
    let program = try await MarketProgram(nil)
    try program.addFile("bin/xdg-open", "#!/bin/sh\nexit 3\n")
    let session = try program.open(
      "--view", "grid", "--language", "en",
      environment: ["PATH": program.path(of: "bin") + ":/usr/bin:/bin"])
    try session.wait(forText: "Road bike")

    session.type("<Enter>")
    try session.wait(forText: "1/")
    session.type("O")

    try session.wait(forText: "xdg-open found no program for it")
  }
}

import Glibc
import TerminalTestSupport
import Testing

@Suite struct PictureTests {
  private static let size = TerminalSize(columns: 100, rows: 30)
  /// Scrolls, menus over pictures, the other arrangement, the detail, and a picture over the window.
  private static let tour: [KeyScript] = [
    "jj", "o", "q", "k", "<PgDn>", "<PgUp>", "v", "v", "j<Enter>", "<Right>", "<Enter>", "<Right>",
    "q", "P", "q", "q", "/", "<Enter>", "G", "g",
  ]

  @Test func `sixels leave no ghost and no hole, whatever lies over them`() async throws {
    let session = try await MarketProgram(nil).open(
      "--view", "grid", size: Self.size, persona: .sixel)
    try session.waitForSixels()

    for keys in Self.tour {
      session.type(keys)
      _ = session.listen(for: .milliseconds(30))
      try session.waitForSixels(atLeast: 0)
    }
    try session.waitForSixels()
    let inSteps = session.pictures.painted
    try session.resizeAndWait(to: TerminalSize(columns: 101, rows: 30))
    try session.resizeAndWait(to: Self.size)
    try session.waitForSixels(atLeast: inSteps.count)

    #expect(session.pictures.mistakes.isEmpty)
    #expect(session.pictures.painted == inSteps)
    session.type("q")
    #expect(try session.waitForExit() == .exited(status: 0))
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
    try session.waitForPlaceholders()
    let sent = session.pictures.transfers
    session.type("jkjk")
    try session.waitForPlaceholders()

    #expect(session.pictures.mistakes.isEmpty)
    #expect(session.pictures.transfers == sent)
    session.type("q")
    #expect(try session.waitForExit() == .exited(status: 0))
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
      #expect(session.pictures.transfers == 0)
    }
    // What the program frees as it ends is not looked at: tmux ends with it and may drop that.
    session.type("q")
    _ = try session.waitForExit()
  }
}

extension TerminalSession {
  /// Waits until every cell that is left free for a picture has one, and none other.
  fileprivate func waitForSixels(atLeast count: Int = 300) throws(TerminalSessionError) {
    try wait(for: "sixels in their places") { screen in
      let free = screen.places { $0 == "\u{A0}" }.filter { $0[0] < screen.size.rows - 1 }
      return free.count >= count && self.pictures.painted.keys.allSatisfy(free.contains)
        && self.pictures.painted.count == free.count
    }
  }

  /// Waits until each placeholder names a picture that the terminal has.
  fileprivate func waitForPlaceholders(atLeast count: Int = 300) throws(TerminalSessionError) {
    try wait(for: "placeholders with pictures") { screen in
      let places = screen.places { $0.unicodeScalars.first?.value == 0x10EEEE }
      return places.count >= count
        && places.allSatisfy { place in
          guard
            case .rgb(let red, let green, let blue) =
              screen.cell(row: place[0], column: place[1]).foreground
          else { return false }
          return self.pictures.kept[Int(red) << 16 | Int(green) << 8 | Int(blue)] != nil
        }
    }
  }
}

extension TerminalScreen {
  /// The rows and columns of the cells whose text is as asked.
  fileprivate func places(where isWanted: (String) -> Bool) -> Set<[Int]> {
    var places: Set<[Int]> = []
    for row in 0..<size.rows {
      for column in 0..<size.columns where isWanted(cell(row: row, column: column).text) {
        places.insert([row, column])
      }
    }
    return places
  }
}

import Expectations
import Glibc
import TerminalTestSupport
import TestSupport
import Testing

/// The form in a terminal: the position of the caret, and the draft that remains after each interruption.
@Suite(.ownThread) struct SellingFormTests {
  @Test func `a draft survives a kill in the middle of a syllable, with its caret`() async throws {
    let program = try await MarketProgram()
    let killed = try program.open("--language", "ko")
    try killed.wait(forText: "Ware 001")
    try program.addPhoto("bike.jpg", fixture: "baseline.jpg")
    killed.type("n")
    try killed.wait(forText: "0/5")
    killed.type("<Paste:~/bike.jpg>")
    try killed.wait(forText: "1/5")
    killed.type("<Tab>한글 자전ㄱ<Left>")
    try killed.wait(for: "the draft's time") { $0.contains("자동 저장됨") && $0.contains("자전ㄱ") }
    try program.waitForFile(holding: "caret 6\nname 5\n")
    try killed.kill()

    let session = try program.open("--language", "ko")
    try session.wait(forText: "Ware 001")
    session.type("n")
    try session.wait(forText: "한글 자전ㄱ")
    session.type("<Enter>")
    try session.wait(forText: "1/5")

    #expect(session.screen.lines[8].contains("한글 자전ㄱ"))
    #expect(session.screen.cursor == (8, 18 + 2 + 2 + 1 + 2 + 2))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `what was typed last is in the draft when a signal ends the program`(number: Int32)
    async throws
  {
    let program = try await MarketProgram()
    let ended = try program.open()
    try ended.wait(forText: "Ware 001")
    ended.type("n")
    try ended.wait(forText: "0/5")
    ended.type("<Tab>Bicycle")
    try ended.wait(forText: "Bicycle")
    ended.terminal.signal(number)
    _ = try ended.waitForExit()

    let session = try program.open()
    try session.wait(forText: "Ware 001")
    session.type("n")

    try session.wait(forText: "Bicycle")
    expect(ended.unrestored, [])
  }

  @Test(arguments: [("", "kept"), ("; exit 1", "kept")])
  func `an editor of one's own changes the description or leaves it`(
    ending: String, text: String
  ) async throws {
    let program = try await MarketProgram()
    let editor = program.path(of: "my editor")
    let script = "#!/bin/sh\n[ \"$1\" = --wait ] && echo ' and more' >> \"$2\"\(ending)\n"
    try FileContent(bytes: Array(script.utf8)).write(to: editor)
    chmod(editor, 0o700)
    let session = try program.open(
      "--language", "ko", environment: ["VISUAL": "'\(editor)' --wait"])
    try session.wait(forText: "Ware 001")
    session.type("n")
    try session.wait(forText: "0/5")
    session.type("<BackTab><BackTab><BackTab><BackTab><BackTab>")
    session.type(KeyScript(text))
    try session.wait(forText: text)

    session.type("<C-e>")

    if ending.isEmpty {
      try session.wait(forText: "and more")
    } else {
      try session.wait(forText: "편집기가 오류로 끝났습니다")
      #expect(session.screen.contains(text) && !session.screen.contains("and more"))
    }
  }
}

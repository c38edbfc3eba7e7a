import MarketStrings
import TerminalTestSupport
import TestSupport
import Testing

/// The first start of all, and the palette, by keys.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct PaletteTests {
  @Test(arguments: [
    (Language.english, "Sample market on this computer · password openmarket", "Road bike"),
    (.korean, "이 컴퓨터의 샘플 마켓 · 비밀번호 openmarket", "로드 자전거"),
  ])
  func `the very first start says what is shown, once, in its language`(
    _ language: Language, _ line: String, _ product: String
  ) async throws {
    let program = try await MarketProgram(nil)
    let words = ["--language", language.rawValue, "--view", "list"]
    let first = try program.open(words: words)
    try first.wait(forText: product)

    try first.wait(forText: line)
    #expect(first.screen.lines.last.map { $0.contains("? ") } == true)
    first.type("j")
    try first.wait(for: "the keys again") { !$0.contains("openmarket") }
    first.type("q")
    _ = try first.waitForExit()
    let second = try program.open(words: words)
    try second.wait(forText: product)

    #expect(!second.screen.contains("openmarket"))
    second.type("q")
    _ = try second.waitForExit()
  }

  @Test func `an order is found by its first consonants, and a command by its English name`()
    async throws
  {
    let session = try await MarketProgram().open("--view", "list", "--language", "ko")
    try session.wait(forText: "Ware 001")

    session.type(":ㄴㅇㄱㄱ")
    try session.wait(forText: "정렬: 낮은 가격순")
    session.type("<Enter>")
    try session.wait(for: "the order in the top bar") { $0.lines[0].contains("낮은 가격순 ▾") }
    session.type("<F2>search")
    try session.wait(forText: "▌ 검색")
    session.type("<Enter>")
    session.type("a:b")
    try session.wait(forText: "a:b")
    session.type("<F2>")
    try session.wait(forText: "─ 명령 ─")
    session.type("<Esc><Esc>")
    try session.wait(for: "the list") { $0.contains("Ware 001") && !$0.contains("a:b") }
  }
}

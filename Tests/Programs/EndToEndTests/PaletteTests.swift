import Expectations
import MarketStrings
import TerminalTestSupport
import TestSupport
import Testing

/// The first start of all, and the palette, by keys.
@Suite(.ownThread) struct PaletteTests {
  @Test(arguments: [
    (Language.english, "Sample market · password openmarket", "Road bike"),
    (.korean, "샘플 마켓 · 비밀번호 openmarket", "로드 자전거"),
  ])
  func `the very first start says what is shown, once, in its language`(
    _ language: Language, _ line: String, _ product: String
  ) async throws {
    let program = try await MarketProgram(nil)
    let words = ["--language", language.rawValue, "--view", "list"]
    let first = try program.open(words: words)
    try first.wait(forText: product)

    try first.wait(forText: line)
    expect(first.screen.lines.last.map { $0.contains("? ") }, true)
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
}

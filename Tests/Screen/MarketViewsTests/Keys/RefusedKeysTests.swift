import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// Keys that cannot act, and what is typed behind them.
struct RefusedKeysTests {
  private func lastLine(_ stage: Stage, _ language: Language = .english) -> String {
    stage.lines(80, 24, language).last ?? ""
  }

  private func type(_ key: KeyPress, on stage: Stage, _ language: Language = .english) {
    stage.type([.key(key)], language)
  }

  @Test(
    arguments: [
      ("e", "Edit"), ("D", "Delete"), ("*", "Add favorite"), ("a", "Ask"), ("x", "Actions"),
      ("s", "Show seller"), ("y", "Copy"), (.enter, "Open"),
      ("c", "Sell a similar one"),
      ("#", "QR code"), ("z", "Reserve"),
    ] as [(KeyPress, String)], [BrowserModel.Arrangement.grid, .list])
  func `in an empty list a key says that there is nothing for it`(
    row: (key: KeyPress, words: String), arrangement: BrowserModel.Arrangement
  ) async throws {
    let stage = Stage(arrangement, sells: true)
    try await stage.show([])

    type(row.key, on: stage)

    #expect(lastLine(stage).contains(row.words))
    #expect(lastLine(stage).contains(": no products here"))
    expect(stage.navigator.stack.layers.count, 1)
  }

  @Test(arguments: Language.allCases)
  func `a key that no command has says so, with the key of the help`(
    language: Language
  ) async throws {
    let stage = Stage()
    try await stage.show([.sample(id: 1)])

    type("%", on: stage, language)

    #expect(
      lastLine(stage, language).contains(
        language == .korean ? "여기서 % 키는 쓰이지 않습니다 · ? 도움말" : "% does nothing here · ? Help"))
    stage.press(.escape)
    #expect(stage.navigator.notice == nil)
  }

  @Test func `what waits for its condition says which, in lists and pictures`() async throws {
    let stage = Stage(.list, sells: true)
    try await stage.show([.sample(id: 1, seller: Seller(id: Seller.ID(rawValue: 2), name: "Mina"))])
    for (key, reason) in [
      ("+", "show the grid first (v)"), ("u", "there is no edit to undo"), ("}", "no new products"),
      (">", "needs a list in a window of 120 columns"),
    ] as [(KeyPress, String)] {
      type(key, on: stage)
      #expect(lastLine(stage).lowercased().contains(": " + reason))
      try await stage.pauseTyping()
    }
  }

  @Test(arguments: [false, true])
  func `what is typed for a dialog that did not open runs nothing until a pause`(
    inHangul: Bool
  ) async throws {
    let stage = Stage(.list, sells: true)
    try await stage.show([.sample(id: 3, stock: 0), .sample(id: 2), .sample(id: 1)])
    let text: [KeyPress] = inHangul ? ["ㅂ", "ㅓ", "자"] : ["q", "j", "w", "k", ","]

    stage.type((["a"] + text).map(InputEvent.key), .english)

    #expect(lastLine(stage).contains("Ask: "))
    expect(stage.browser.viewport.selected, 0)
    #expect(!stage.navigator.program.isQuitting && stage.top is BrowserModel)
    stage.press(.down)
    expect(stage.browser.viewport.selected, 1)
    stage.press("k")
    expect(stage.browser.viewport.selected, 1)
    try await stage.pauseTyping()
    stage.press("k")
    expect(stage.browser.viewport.selected, 0)
  }

  @Test func `what is typed while the market refuses a dialog runs nothing either`() async throws {
    let stage = Stage(.list, sells: true)
    try await stage.show([.sample(id: 2), .sample(id: 1)])

    stage.press("a")
    try await stage.repository.details.next().fail(.notFound)
    await until { stage.navigator.notice != nil }
    stage.press("j")

    expect(stage.browser.viewport.selected, 0)
    stage.press(.enter)
    #expect(stage.top is DetailModel)
  }

  @Test func `a key that moves nothing lets the next letter act`() async throws {
    let stage = Stage(.list)
    try await stage.show([.sample(id: 2), .sample(id: 1)])

    stage.press("l", "j")

    expect(stage.browser.viewport.selected, 1)
  }
}

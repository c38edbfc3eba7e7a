import Expectations
import MarketModel
import MarketViewModels
import MarketViews
import PersonalStore
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// Every list in a market that has nothing, under every move.
struct ListMoveTests {
  nonisolated enum List: CaseIterable {
    case grid, products, filter, order, pictures, actions, help, palette, settings, markets
    case favorites, alerts, history, allMarkets, mergedMarkets, savedSearches, picker
  }

  /// A stage with a market that has nothing, and a list of it on top.
  private func stage(_ list: List) async throws -> Stage {
    let stage = Stage(list == .grid ? .grid : .list, sells: true)
    let store = PersonalFile.inMemory()
    let markets = Markets(stage.navigator)
    let fake = FakeMarkets(["home"], behind: markets, clock: stage.clock)
    let program = stage.navigator.program
    program.personal = store
    program.settings = FakeSettings()
    program.alerts = AlertScheduler(
      markets, store: store, attention: UserPresence(), clock: ManualClock())
    try await stage.show([])
    switch list {
    case .grid, .products: break
    case .filter: stage.press("f")
    case .order: stage.press("o")
    case .pictures: stage.press("P")
    case .actions: stage.press("x")
    case .help: stage.press("?")
    case .palette: stage.press(":", "z", "z", "z", "z")
    case .settings: stage.press(",")
    case .markets: stage.press("w")
    case .favorites:
      stage.press("i")
      await until { (stage.top as? PersonalListModel)?.list.isRead == true }
    case .alerts:
      stage.press("T")
      await until { (stage.top as? PersonalListModel)?.list.isRead == true }
    case .history:
      stage.press("H")
      await until { (stage.top as? PersonalListModel)?.list.isRead == true }
    case .allMarkets, .mergedMarkets:
      stage.navigator.searchEverywhere(SearchRequest(reading: "zzzz"))
      for market in ["local", "server-home"] {
        try await fake.finds(of: market).next().answer(
          ProductPage(products: [], total: .exactly(0), next: nil))
      }
      await until { (stage.top as? MultiMarketSearchModel)?.isAsking == false }
      if list == .mergedMarkets { stage.press("v") }
    case .savedSearches: stage.press("/", .control("o"))
    case .picker:
      stage.press("n")
      await until { stage.form != nil }
      stage.navigator.selling?.form?.edit { $0.focus(.pictures) }
      stage.press(.enter, .enter)
    }
    return stage
  }

  @Test(arguments: List.allCases)
  func `a list without rows survives every move`(list: List) async throws {
    let stage = try await stage(list)
    let top = stage.top
    let moves: [KeyPress] = [
      "k", "j", "h", "l", .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, "g", "G",
      .control("d"), .control("u"), .control("f"), .control("b"), .control("p"), .control("n"),
      .tab, .backTab, "9", "k", "9", "j",
    ]

    for (columns, rows) in [(80, 24), (160, 45), (40, 12)] {
      for move in moves where stage.top === top {
        stage.press(move, columns: columns, rows: rows)
        _ = stage.screen(columns, rows).draw()
      }
      for row in 0..<rows where stage.top === top {
        for action in [MouseEvent.Action.wheelUp, .wheelDown, .press] {
          let event = MouseEvent(action, at: CellPoint(column: columns / 2, row: row))
          stage.screen(columns, rows).handle(.mouse(event))
        }
        _ = stage.screen(columns, rows).draw()
      }
    }
  }

  @Test(arguments: List.allCases)
  func `a count before what takes none is gone after it`(list: List) async throws {
    let stage = try await stage(list)

    stage.press("1", "4")
    let isCounted = stage.navigator.count != nil
    stage.press("j")

    expect(stage.navigator.count, nil)
    if list == .settings { #expect(!isCounted) }
  }

  @Test func `a click and a paste take no count`() async throws {
    for event in [
      InputEvent.mouse(MouseEvent(.press, at: CellPoint(column: 5, row: 5))), .paste("lamp"),
    ] {
      let stage = try await stage(.products)

      stage.press("1", "4")
      stage.screen(80, 24).handle(event)

      expect(stage.navigator.count, nil)
    }
  }
}

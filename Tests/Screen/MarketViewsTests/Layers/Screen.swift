import MarketModel
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport

/// The screens whose keys are the same for everybody.
nonisolated enum Screen: CaseIterable {
  case grid, list, shelf, detail, picture, search, filter, menu, pictureMenu, actions, help
  case settings, palette

  /// A stage on which the screen is on top.
  @MainActor func stage() async throws -> Stage {
    let drafts = FakeDrafts(
      self == .shelf
        ? [
          Draft(
            id: Draft.ID(rawValue: "1"), target: .registration,
            key: IdempotencyKey(rawValue: "1"), values: FormValues(),
            changed: Timestamp(seconds: 0))
        ] : [])
    let stage = Stage(self == .grid ? .grid : .list, sells: true, drafts: drafts)
    try await stage.show([
      .sample(id: 1, thumbnail: Picture(original: "1", thumbnail: "1")), .sample(id: 2),
    ])
    switch self {
    case .grid, .list: break
    case .shelf:
      try await stage.signIn()
      stage.browser.show(ProductQuery(sellers: [Seller.ID(rawValue: 7)]))
      await stage.navigator.selling?.drafts.load(isOpening: true)
    case .detail: stage.press(.enter)
    case .picture: stage.press(.enter, .enter)
    case .search: stage.press("/")
    case .filter: stage.press("f")
    case .menu: stage.press("o")
    case .pictureMenu: stage.press("P")
    case .actions: stage.press("x")
    case .help: stage.press("?")
    case .palette: stage.press(":")
    case .settings:
      stage.navigator.program.settings = FakeSettings()
      stage.press(",")
    }
    return stage
  }
}

import Expectations
import MarketModel
import MarketViewModels
import MarketViews
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct GuestCommandsTests {
  /// What no guest may do: other markets, files of this computer, its programs, and its settings.
  private static let refused: Set = [
    "add-market", "add-marked", "browse-folders", "copy-command", "folder-up", "forget-market",
    "save-setting", "markets", "next-section", "open-at-start", "open-editor", "open-folder",
    "open-picture", "previous-market", "previous-section", "remove-setting", "rename-market",
    "save-picture", "search-everywhere", "serve-market", "settings", "suspend", "toggle-grouping",
    "undo-setting",
  ]
  private static let seller = GuestSession(key: "SHA256:abc", sshArguments: "market@market.example")
  private static let looker = GuestSession(key: nil, sshArguments: "market@market.example")

  private static var names: Set<String> {
    Set(ViewGraph.market.rows.joined().map(\.name) + ProgramCommand.allCases.map { "\($0)" })
  }

  @Test func `every command that a guest may not use is known`() {
    let refused = Self.names.filter { GuestCommands.right(for: $0) == nil }

    expect(refused, Self.refused)
  }

  @Test func `every right is for a command that there is`() {
    expect(GuestCommands.names.subtracting(Self.names), [])
  }

  @Test(arguments: Screen.allCases)
  func `no screen has a command that a guest may not use`(screen: Screen) async throws {
    let stage = try await screen.stage()
    stage.navigator.program.guest = Self.seller

    let names = Set(stage.screen(80, 24).rows.map(\.name))

    expect(names.intersection(Self.refused), [])
  }

  @Test(arguments: [",", "S", "O", "w", "W"] as [KeyPress])
  func `a key of such a command does nothing`(key: KeyPress) async throws {
    let stage = try await Screen.detail.stage()
    stage.navigator.program.guest = Self.seller
    let layers = stage.navigator.stack.layers.count

    stage.press(key)

    expect(stage.navigator.stack.layers.count, layers)
    expect(stage.navigator.notice, nil)
  }

  @Test(arguments: ["n", "e", "m", "*", "i"] as [KeyPress])
  func `who has no key learns how to come with one`(key: KeyPress) async throws {
    let stage = try await Screen.list.stage()
    stage.navigator.program.guest = Self.looker
    let layers = stage.navigator.stack.layers.count

    stage.press(key)

    expect(stage.navigator.stack.layers.count, layers)
    guard case .words(let words) = stage.navigator.notice else {
      Issue.record("nothing is said of \(key)")
      return
    }
    #expect(words.string.contains("market@market.example"))
  }

  @Test func `the palette says whose key it is, at any time`() async throws {
    let stage = try await Screen.list.stage()
    stage.navigator.program.guest = Self.seller

    stage.press(":")
    for character in "SHA256" { stage.press(KeyPress(character)) }
    stage.press(.enter)

    guard case .words(let words) = stage.navigator.notice else {
      Issue.record("nothing is said")
      return
    }
    #expect(words.string.contains("SHA256:abc"))
  }

  @Test func `who has a key sells`() async throws {
    let stage = try await Screen.list.stage()
    stage.navigator.program.guest = Self.seller

    stage.press("n")
    await until { stage.form != nil }

    #expect(stage.form != nil)
  }
}

import Expectations
import MarketModel
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct CustomKeyBindingsTests {
  private func keys(_ given: (KeyPress, String?)...) -> CustomKeyBindings {
    var keys = CustomKeyBindings()
    for (key, name) in given { _ = keys.give(key, to: name) }
    return keys
  }

  /// What a key is called on a screen.
  private func name(of key: KeyPress, on screen: Screen, _ keys: CustomKeyBindings) async throws
    -> String?
  {
    try await screen.stage().screen(80, 24, keys: keys).rows.first { $0.keys.contains(key) }?.name
  }

  @Test func `a key gives its new command, and no longer the old one`() async throws {
    let keys = keys(("x", "delete"), ("j", "up"), (.control("j"), "down"))

    try await expect(name(of: "x", on: .grid, keys), "delete")
    try await expect(name(of: "j", on: .list, keys), "up")
    try await expect(name(of: .control("j"), on: .detail, keys), "down")
    try await expect(name(of: .down, on: .list, keys), "down")
  }

  @Test func `a key of nothing gives nothing`() async throws {
    try await expect(name(of: "M", on: .grid, keys(("M", nil))), nil)
  }

  @Test func `a key stays what it was where its new command means nothing`() async throws {
    let keys = keys(("o", "enlarge"))

    try await expect(name(of: "o", on: .detail, keys), "enlarge")
    try await expect(name(of: "o", on: .grid, keys), "order")
  }

  @Test(arguments: [Screen.search, .help])
  func `fields keep their keys`(screen: Screen) async throws {
    let stage = try await screen.stage()
    let keys = keys((.enter, "quit"), ("y", "quit"), (.down, "up"))

    let changed = stage.screen(80, 24, keys: keys).rows.map(\.keys)

    expect(changed, stage.screen(80, 24).rows.map(\.keys))
  }

  @Test func `the form keeps its keys`() async throws {
    let stage = try await Screen.list.stage()
    stage.press("n")
    await until { stage.form != nil }
    let keys = keys((.enter, "quit"), ("y", "quit"), (.down, "up"))

    let changed = stage.screen(80, 24, keys: keys).rows.map(\.keys)

    expect(changed, stage.screen(80, 24).rows.map(\.keys))
  }

  @Test func `the help lists one's own key first`() async throws {
    let rows = try await Screen.grid.stage().screen(80, 24, keys: keys(("x", "delete"))).rows

    expect(rows.first { $0.name == "delete" }?.keys, ["x", "D", .delete])
  }

  @Test func `an own key does what it says`() async throws {
    let stage = try await Screen.list.stage()

    stage.screen(80, 24, keys: keys(("x", "down"))).handle(.key("x"))

    expect(stage.browser.viewport.selected, 1)
  }

  @Test func `a command that lost its only key to another is named`() {
    let views = ViewGraph.market

    expect(views.commandsWithoutKeys(keys(("o", "filter"))), ["order"])
    expect(views.commandsWithoutKeys(keys(("o", "filter"), ("O", "order"))), [])
    expect(views.commandsWithoutKeys(keys(("o", nil))), [])
  }

  @Test(arguments: [KeyPress.control("c"), .control("z"), .escape, "5", "ㅓ", "러"])
  func `the way out, digits and keys of the Hangul layout stay`(key: KeyPress) {
    #expect(!CustomKeyBindings.mayChange(key))
  }

  @Test func `every command that may get other keys stands once, and those of fields do not`() {
    let names = ViewGraph.market.commands.map(\.name)

    expect(Set(names).count, names.count)
    #expect(names.contains("half-page-down") && names.contains("remove-draft"))
    #expect(!names.contains("submit") && !names.contains("confirm"))
  }
}

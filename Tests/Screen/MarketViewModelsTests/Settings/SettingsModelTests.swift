import EditorKit
import Expectations
import MarketModel
import MarketViewModels
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

struct SettingsModelTests {
  private let store = FakeSettings()
  private let navigator: Navigator

  init() {
    let clock = ManualClock()
    navigator = Navigator(
      browser: BrowserModel(
        repository: GatedProductRepository(), arrangement: .list, pageSize: 20, clock: clock),
      gallery: PictureGallery(loader: NoPictures()), marketName: nil, clock: clock,
      now: { Timestamp(seconds: 0) })
    navigator.program.settings = store
  }

  /// The settings, opened, with the row of this name selected.
  private func opened(at name: String) throws -> SettingsModel {
    SettingsModel.open(on: navigator)
    let model = try #require(navigator.stack.top as? SettingsModel)
    model.list.select(try #require(store.rows.first { $0.name == name }).id)
    expect(model.selected?.name, name)
    return model
  }

  private func top<Dialog: Layer>(_ type: Dialog.Type) throws -> Dialog {
    try #require(navigator.stack.top as? Dialog)
  }

  @Test func `without settings nothing is opened`() {
    navigator.program.settings = nil

    SettingsModel.open(on: navigator)

    #expect(!navigator.stack.isCovered)
  }

  @Test func `a selected word is shown, and kept where that is asked for`() async throws {
    try opened(at: "theme").change()
    let choice = try top(ChoiceModel.self)

    choice.move(.down, times: 2)
    let shown = store.previewed
    choice.choose(try #require(choice.list.selected))
    await until { navigator.stack.top is SettingsModel }

    expect(shown, SettingChange(["theme"], to: "light"))
    #expect(store.values[["theme"]] == "light" && store.previewed == nil)
    try expect(top(SettingsModel.self).selected?.value, "light")
    expect(navigator.notice, .words("theme saved"))
  }

  @Test func `who leaves a choice keeps nothing, and sees everything as it was`() async throws {
    try opened(at: "theme").change()
    let choice = try top(ChoiceModel.self)
    choice.move(.down, times: 1)

    choice.cancel()
    await until { navigator.stack.top is SettingsModel }

    #expect(store.previewed == nil && store.saved.isEmpty)
  }

  @Test func `what cannot be kept is said, and nothing changes`() async throws {
    store.refusal = "no room"
    try opened(at: "theme").change()
    let choice = try top(ChoiceModel.self)
    choice.move(.down, times: 1)

    choice.choose(try #require(choice.list.selected))
    await until { navigator.stack.top is SettingsModel }

    expect(navigator.notice, .words("✗ no room"))
    expect(store.previewed, nil)
    try expect(top(SettingsModel.self).undoing, nil)
  }

  @Test func `a typed value is shown while it is typed; nothing is the standard`() async throws {
    let model = try opened(at: "accent")
    model.change()
    let text = try top(PromptModel.self)

    text.edit { $0.type("#fff") }
    expect(store.previewed, SettingChange(["colors", "accent"], to: "#fff"))
    text.confirm()
    await until { navigator.stack.top === model }
    model.change()
    try top(PromptModel.self).edit { $0.delete(.lineStart) }
    try top(PromptModel.self).confirm()
    await until { navigator.stack.top === model }

    expect(
      store.saved,
      [
        SettingChange(["colors", "accent"], to: "#fff"),
        SettingChange(["colors", "accent"], to: nil),
      ])
  }

  @Test func `a line that is refused stays to be corrected`() async throws {
    try opened(at: "page-size").change()
    let text = try top(PromptModel.self)
    text.edit { $0.type("many") }
    store.refusal = "no number"

    text.confirm()
    await until { navigator.notice == .words("✗ no number") && !navigator.stack.isTurning }

    #expect(try top(PromptModel.self) === text && text.editor.text == "many")
  }

  @Test func `the next key goes to the command, and can be taken away again`() async throws {
    let model = try opened(at: "copy")
    model.change()
    try top(SettingKeyModel.self).give(keyNamed: "F5")
    await until { navigator.stack.top === model }
    #expect(model.selected?.shown == "F5 y" && model.mayRemove)

    model.remove()

    expect(
      store.saved,
      [SettingChange(["keys", "F5"], to: "copy"), SettingChange(["keys", "F5"], to: nil)])
    #expect(model.selected?.shown == "y" && !model.mayRemove)
  }

  @Test func `a removed server comes back with one key`() throws {
    let model = try opened(at: "home")

    model.remove()
    #expect(store.rows.allSatisfy { $0.section != .servers })
    expect(model.selected?.name, "copy")
    model.undo()

    expect(store.rows.last?.value, "http://home")
  }

  @Test func `headings are passed over, and stay in sight above their first row`() throws {
    let model = try opened(at: "theme")
    model.list.didLayOut(rows: 3)
    model.move(.up, times: 5)
    #expect(model.selected?.name == "theme" && model.list.viewport.topRow == 0)

    model.move(.down)
    model.move(.down)
    model.move(.down)
    expect(model.selected?.name, "accent")
    model.move(.up)

    expect(model.selected?.name, "page-size")
  }

  @Test func `sections are reached one after the other`() throws {
    let model = try opened(at: "plain")
    var names: [String] = []

    for _ in 1...5 {
      model.list.moveSection(forward: true)
      names.append(model.selected?.name ?? "")
    }
    model.list.moveSection(forward: false)

    expect(names, ["accent", "copy", "home", "home", "home"])
    expect(model.selected?.name, "copy")
  }

  @Test(arguments: [Viewport.Move.first, .last, .pageDown, .pageUp, .halfPageDown, .halfPageUp])
  func `every move ends at a row`(move: Viewport.Move) throws {
    let model = try opened(at: "page-size")
    model.list.didLayOut(rows: 4)

    for _ in 1...4 {
      model.move(move)
      #expect(model.selected != nil)
    }
  }

  @Test func `what an editor has written meanwhile is read by a refresh`() throws {
    let model = try opened(at: "theme")
    _ = store.save(SettingChange(["theme"], to: "dark"))

    model.refresh()

    expect(model.selected?.value, "dark")
  }
}

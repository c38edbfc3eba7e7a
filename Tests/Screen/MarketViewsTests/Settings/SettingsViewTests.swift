import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct SettingsViewTests {
  private let store = FakeSettings()

  private func stage() async throws -> Stage {
    let stage = Stage(.list)
    stage.navigator.program.settings = store
    try await stage.show(Product.samples([2, 1]))
    stage.press(",")
    return stage
  }

  @Test func `a value that is kept stands with the standard below`() async throws {
    _ = store.save(SettingChange(["theme"], to: "dark"))

    let lines = try await stage().lines(80, 24)

    #expect(lines[2].hasPrefix("▌ The colours                 어둡게"))
    #expect(lines.contains { $0.contains("The colours · 기본값 자동") })
  }

  @Test func `a product stands beside the settings that change its look, and beside no other`()
    async throws
  {
    let stage = Stage(.list)
    stage.navigator.program.settings = store
    let picture = Picture(original: "cup", thumbnail: "cup")
    try await stage.show([.sample(id: 1, name: "Cup", thumbnail: picture)])
    stage.press(",")

    let theme = stage.screen(120, 36).wants
    stage.press("j")
    let plain = stage.screen(120, 36).wants

    expect(theme.map(\.picture), [picture])
    expect(plain, [])
  }

  @Test func `typed words leave the settings that have them`() async throws {
    let stage = try await stage()

    stage.press("/", "p", "l", "a", "i")
    let lines = stage.lines(80, 24, .english)
    stage.press(.enter, .enter)
    let choice = stage.lines(80, 24, .english)

    #expect(lines[1].contains("Find") && lines[1].contains("plai"))
    #expect(lines[3].contains("▌ Plain lines") && !lines[4].contains("page-size"))
    #expect(choice.contains { $0.contains("Plain lines ─") })
  }

  @Test func `a choice is tried by moving and kept by Enter`() async throws {
    let stage = try await stage()

    stage.press(.enter, "j")
    let lines = stage.lines(80, 24)
    let tried = store.previewed
    stage.press(.enter)
    await until { stage.top is SettingsModel }

    #expect(lines.contains { $0.contains("╭─ The colours ─") })
    #expect(lines.contains { $0.contains("1 ● 자동  ") && $0.contains("  기본값 │") })
    #expect(lines.contains { $0.contains("▌ 2 ○ 어둡게") })
    expect(tried, SettingChange(["theme"], to: "dark"))
    #expect(stage.top is SettingsModel && store.values[["theme"]] == "dark")
  }

  @Test func `a click tries a word, another one there keeps it, and one beside leaves`()
    async throws
  {
    let stage = try await stage()
    stage.press(.enter)
    let row = try #require(stage.lines(80, 24).firstIndex { $0.contains("○ 어둡게") })

    stage.click(40, row)
    let tried = store.previewed
    stage.click(2, 22)
    await stage.settle()
    #expect(tried == SettingChange(["theme"], to: "dark") && stage.top is SettingsModel)
    #expect(store.saved.isEmpty && store.previewed == nil)
    stage.press(.enter)
    stage.click(40, row)
    stage.click(40, row)
    await until { stage.top is SettingsModel }

    #expect(stage.top is SettingsModel && store.values[["theme"]] == "dark")
  }

  @Test func `Esc leaves a choice and then the settings as they were`() async throws {
    let stage = try await stage()

    stage.press(.enter, "j", .escape)
    await stage.settle()
    #expect(stage.top is SettingsModel && store.previewed == nil)
    stage.press(.escape)

    #expect(stage.top === stage.browser && store.saved.isEmpty)
  }

  @Test func `letters are text in a line`() async throws {
    let stage = try await stage()
    stage.press("j", "j", .enter, "q", "j", "3", "0")
    let lines = stage.lines(80, 24, .english)

    stage.press(.control("s"))

    await until { stage.top is SettingsModel }
    #expect(lines.contains { $0.contains("qj30") })
    #expect(lines.contains { $0.contains("1-1000 · empty: 20") })
    expect(store.saved, [SettingChange(["page-size"], to: "qj30")])
  }

  @Test func `any key but the way out answers the question for a key`() async throws {
    let stage = try await stage()
    for _ in 1...4 { stage.press("j") }

    stage.press(.enter)
    let lines = stage.lines(80, 24, .english)
    stage.press(KeyPress(.pageDown, .control))
    await until { stage.top is SettingsModel }

    #expect(lines.contains { $0.contains("Press a key for “Copy”") })
    expect(store.saved, [SettingChange(["keys", "Ctrl-PgDn"], to: "copy")])
  }

  @Test func `keys of the Hangul layout are not given away as Latin ones`() async throws {
    let stage = try await stage()
    for _ in 1...4 { stage.press("j") }

    stage.press(.enter, "ㅓ")
    await until { stage.top is SettingsModel }

    expect(store.saved, [SettingChange(["keys", "ㅓ"], to: "copy")])
  }

  @Test func `a server goes, and comes back`() async throws {
    let stage = try await stage()

    stage.press("G", .delete)
    let without = stage.lines(80, 24, .english)
    stage.press("u")

    #expect(!without.contains { $0.contains("Saved servers") })
    #expect(
      stage.lines(80, 24, .english).contains(
        "▌ home                        http://home           home"))
  }

  @Test func `a click selects, and one on what is selected changes it`() async throws {
    let stage = try await stage()
    _ = stage.lines(80, 24)

    stage.click(5, 5)
    expect((stage.top as? SettingsModel)?.selected?.name, "theme")
    stage.click(5, 6)
    expect((stage.top as? SettingsModel)?.selected?.name, "accent")
    stage.click(5, 6)

    #expect(stage.top is PromptModel)
  }

  @Test func `the detail opens them as well`() async throws {
    let stage = Stage(.list)
    stage.navigator.program.settings = store
    try await stage.show(Product.samples([2, 1]))

    stage.press(.enter, ",")

    #expect(stage.top is SettingsModel)
  }
}

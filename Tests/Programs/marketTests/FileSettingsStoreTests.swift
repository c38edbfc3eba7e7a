import CommandKit
import Expectations
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import SafeTextKit
import TestSupport
import Testing

@testable import MarketViews
@testable import TerminalKit
@testable import market

struct FileSettingsStoreTests {
  /// A book on a file of this text, with what it has shown.
  private final class Trial {
    let folder: TemporaryFolder
    let store: FileSettingsStore
    private(set) var shown: [Appearance] = []

    init(
      _ text: String? = nil, options: MarketOptions = MarketOptions(),
      lockTimeout: Duration = FolderLock.timeout
    ) throws {
      folder = try TemporaryFolder()
      let file = SettingsFile(path: folder.path(of: "settings.json"), lockTimeout: lockTimeout)
      if let text { try FileContent(bytes: Array(text.utf8)).write(to: file.path) }
      let settings = file.read()
      var options = options
      options.language = .en
      store = FileSettingsStore(
        file, home: folder.path,
        appearance: Appearance(options: options, colors: settings.colors, keys: settings.keys))
      store.show = { [weak self] in self?.shown.append($0) }
    }

    func row(_ path: String...) throws -> SettingRow {
      try #require(store.rows.first { $0.path == path })
    }

    func text() throws -> String {
      try String(decoding: FileContent(of: folder.path(of: "settings.json")).bytes, as: UTF8.self)
    }
  }

  @Test func `every option, colour and command that the file takes has a row`() throws {
    let names = try Trial().store.rows.map(\.path)

    expect(Set(names).count, names.count)
    for option in Settings.keptOptions {
      let name = String(option.name.dropFirst(2))
      #expect(names.contains([name]) && FileSettingsStore.labels[name] != nil, "\(name)")
    }
    let words = PaletteWords.read().keys.filter { $0.hasPrefix("setting.") }
    #expect(Set(words).isSubset(of: Settings.keptOptions.map { "setting." + $0.name.dropFirst(2) }))
    for part in ColorPart.allCases { #expect(names.contains(["colors", part.rawValue])) }
    for command in NamedKeyCommand.all { #expect(names.contains(["keys", command.name])) }
  }

  @Test func `rows say what the file says, and what holds without it`() throws {
    let trial = try Trial(
      """
      { "theme": "light", "page-size": 40, "plain": true, "colors": { "bar": "#123" },
        "servers": { "home": "http://h" }, "keys": { "x": "delete", "M": "" } }
      """)

    #expect(try trial.row("theme").value == "light" && trial.row("theme").standard == "auto")
    #expect(try trial.row("page-size").value == "40" && trial.row("page-size").needsRestart)
    #expect(try trial.row("plain").shown == "true" && trial.row("cursor").shown == "false")
    try expect(trial.row("colors", "bar").value, "#123")
    try expect(trial.row("servers", "home").value, "http://h")
    try expect(trial.row("keys", "delete").shown, "x D Del")
    try expect(trial.row("keys", "M").kind, .entry)
    expect(trial.store.path, "~/settings.json")
  }

  @Test func `options that are shown at once are those that change appearance`() throws {
    let trial = try Trial()

    for row in trial.store.rows where row.section == .options {
      guard case .choice(let words) = row.kind else { continue }
      trial.store.preview(nil)
      let before = trial.shown.last
      trial.store.preview(SettingChange(row.path, to: words.first { $0 != row.shown }))
      expect(trial.shown.last != before, !row.needsRestart, "\(row.name)")
    }
    #expect(
      Appearance.options.isSubset(of: Settings.keptOptions.map(\.name)))
  }

  @Test func `an option that frames show takes effect at once, also on kept rows`() {
    let plain = context(MarketOptions())
    for option in Settings.keptOptions {
      guard case .words(let words)? = option.keptShape?.suggestions else { continue }
      for word in words {
        var options = MarketOptions()
        #expect(option.apply(word, to: &options))
        let changed = context(options)
        guard drawing(changed) != drawing(plain) else { continue }
        #expect(Appearance.options.contains(option.name), "\(option.name) \(word)")
        // The cursor lies over what is kept.
        #expect(
          changed.frameStyle != plain.frameStyle || option.name == "--cursor",
          "\(option.name) \(word)")
      }
    }
  }

  private func context(_ options: MarketOptions) -> RenderContext {
    let capabilities = TerminalCapabilities(
      colors: ColorCapability(depth: .palette256, source: .entry), canStrikeThrough: true,
      encoding: .utf8, entry: .system)
    return Appearance(options: options, colors: CustomColors(), keys: CustomKeyBindings())
      .context(on: .dark, capabilities, now: Timestamp(seconds: 0))
  }

  /// Everything that a frame is drawn with.
  private func drawing(_ context: RenderContext) -> [String] {
    Mirror(reflecting: context).children.map { "\($0)" }
  }

  @Test func `a preview is shown and not kept`() throws {
    let trial = try Trial("{ \"colors\": { \"accent\": \"#ffffff\" } }")

    trial.store.preview(SettingChange(["theme"], to: "high-contrast"))
    trial.store.preview(SettingChange(["colors", "accent"], to: "#f00"))
    trial.store.preview(SettingChange(["colors", "accent"], to: "#f0"))
    trial.store.preview(SettingChange(["colors", "accent"], to: nil))
    trial.store.preview(nil)

    expect(trial.shown.map(\.options.theme), [.highContrast, .auto, .auto, .auto])
    var red = CustomColors()
    _ = red.give("#f00", to: .accent)
    var white = CustomColors()
    _ = white.give("#ffffff", to: .accent)
    expect(trial.shown.map(\.colors), [white, red, CustomColors(), white])
    try expect(trial.text(), "{ \"colors\": { \"accent\": \"#ffffff\" } }")
  }

  @Test func `what is kept is shown from then on, over what the command line said`() async throws {
    var options = MarketOptions()
    options.theme = .light
    let trial = try Trial(options: options)

    let outcome = await trial.store.save(SettingChange(["theme"], to: "dark"))
    trial.store.preview(nil)

    expect(outcome, .saved(undo: SettingChange(["theme"], to: nil), "Saved · theme: dark"))
    expect(trial.shown.map(\.options.theme), [.dark, .dark])
    try expect(trial.row("theme").value, "dark")
  }

  @Test func `the standard comes back where a setting goes`() async throws {
    let trial = try Trial("{ \"theme\": \"plain\" }")

    let outcome = await trial.store.save(SettingChange(["theme"], to: nil))

    expect(
      outcome,
      .saved(
        undo: SettingChange(["theme"], to: "plain"), "Reset · theme"))
    expect(trial.shown.last?.options.theme, .auto)
  }

  @Test(arguments: [
    (["page-size"], "many", "Invalid value “many” for page-size; expected 1-1000"),
    (["colors", "accent"], "red", "Invalid value “red” for accent; expected #rrggbb|#rgb|default"),
    (["keys", "Ctrl-C"], "down", "“Ctrl-C” is not a key that can be changed"),
  ])
  func `what the file would not take is refused in one sentence`(
    path: [String], value: String, sentence: String
  ) async throws {
    let trial = try Trial("{ \"view\": \"list\" }")

    guard case .refused(let said) = await trial.store.save(SettingChange(path, to: value)) else {
      Issue.record("it was kept")
      return
    }

    #expect(said.string.hasPrefix(sentence))
    try expect(trial.text(), "{ \"view\": \"list\" }")
  }

  @Test func `a key is changed where it stands, however it is written`() async throws {
    let trial = try Trial("{ \"keys\": { \"ctrl-j\": \"up\" } }")

    _ = await trial.store.save(SettingChange(["keys", "Ctrl-J"], to: "down"))

    try expect(trial.text(), "{ \"keys\": { \"ctrl-j\": \"down\" } }")
    var keys = CustomKeyBindings()
    _ = keys.give(.control("j"), to: "down")
    expect(trial.shown.last?.keys, keys)
  }

  @Test func `a command that loses its last key is told, and may want that`() async throws {
    let trial = try Trial()

    let outcome = await trial.store.save(SettingChange(["keys", "o"], to: "filter"))

    guard case .saved(_, let sentence) = outcome else {
      Issue.record("it was not kept")
      return
    }
    #expect(sentence.string.hasPrefix("order has no key left"))
    try expect(trial.row("keys", "filter").shown, "o f")
  }

  @Test func `a file with mistakes is not written to, and the line is told`() async throws {
    let trial = try Trial("{\n  \"view\": list\n}")

    let outcome = await trial.store.save(SettingChange(["theme"], to: "dark"))

    expect(outcome, .refused("settings.json:2: a value is expected here; put text in \"quotes\""))
  }

  @Test func `texts follow the language that is kept`() async throws {
    let trial = try Trial()

    _ = await trial.store.save(SettingChange(["language"], to: "ko"))

    try expect(trial.row("theme").summary, Strings(.korean)[.optionTheme])
  }

  @Test func `while another run changes the file, the screen goes on and says so`() async throws {
    let trial = try Trial(lockTimeout: .seconds(50))
    let lock = open(trial.folder.path(of: ".lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    expect(flock(lock, LOCK_EX), 0)
    var told: SafeText?
    trial.store.announce = { sentence in
      told = sentence
      // A program that another test starts at this moment has the descriptor too.
      flock(lock, LOCK_UN)
    }

    let outcome = await trial.store.save(SettingChange(["theme"], to: "dark"))
    close(lock)

    expect(told, "Another window is changing the settings; waiting…")
    expect(outcome, .saved(undo: SettingChange(["theme"], to: nil), "Saved · theme: dark"))
  }
}

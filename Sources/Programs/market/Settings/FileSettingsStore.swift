import CommandKit
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import TerminalKit

/// Settings store in the settings file, as the settings screen shows and changes it.
final class FileSettingsStore: SettingsStore {
  /// Applies another appearance to the screen.
  var show: (Appearance) -> Void = { _ in }
  /// Shows a message while a change takes long.
  var announce: (SafeText) -> Void = { _ in }
  /// Entries of the file when last read.
  private(set) var entries: SettingsEntries { didSet { didRead() } }
  /// Called when the file was read again.
  var didRead: () -> Void = {}

  private let file: SettingsFile
  private let home: String
  /// Appearance of this run: options of the command line, and changes since.
  private var saved: Appearance

  init(_ file: SettingsFile, home: String, appearance: Appearance) {
    self.file = file
    entries = SettingsEntries(file.text ?? "")
    self.home = home
    saved = appearance
  }

  var path: SafeText {
    let path = file.path
    return SafeText(path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path)
  }

  var strings: Strings { saved.options.strings }

  /// Reads the file again, since an editor may have changed it.
  func refresh() { entries = SettingsEntries(file.text ?? "") }

  // MARK: Rows

  var rows: [SettingRow] { options + colors + keys + servers }

  /// Options that take effect at once precede those that need a restart.
  private var options: [SettingRow] {
    let rows = Settings.keptOptions.map { option in
      let name = String(option.name.dropFirst(2))
      let shape = option.keptShape
      let kind: SettingRow.Kind =
        if case .words(let words)? = shape?.suggestions {
          .choice(words)
        } else {
          .text(form: shape?.expected ?? "")
        }
      return SettingRow(
        .options, kind, [name], label: Self.labels[name].map { strings[$0] },
        summary: strings[option.summary], value: entries[[name]],
        standard: option.value(in: MarketOptions()) ?? "",
        needsRestart: !Appearance.options.contains(option.name))
    }
    return rows.filter { !$0.needsRestart } + rows.filter(\.needsRestart)
  }

  /// Labels of options on the settings screen.
  static let labels: [String: Phrase] = [
    "api": .settingAPI, "ascii": .settingASCII, "cursor": .settingCursor,
    "language": .settingLanguage, "log": .settingLog, "no-password-cache": .settingNoPasswordCache,
    "notify": .settingNotify, "notify-always": .settingNotifyAlways,
    "page-size": .settingPageSize, "photo-port": .settingPhotoPort, "pictures": .settingPictures,
    "plain": .settingPlain,
    "restore": .settingRestore, "server": .settingServer, "theme": .settingTheme,
    "view": .settingView,
  ]

  private var colors: [SettingRow] {
    ColorPart.allCases.map { part in
      SettingRow(
        .colors, .text(form: CustomColors.form), ["colors", part.rawValue],
        summary: strings[part.summary], value: entries.colors[part.rawValue],
        standard: strings[.settingsOfTheme].string)
    }
  }

  /// Commands with their keys, and keys that were disabled.
  private var keys: [SettingRow] {
    let given = Set(entries.keys.compactMap { KeyPress(name: $0.key) })
    let commands = NamedKeyCommand.all.map { command in
      let own = entries.keys.filter { $0.command == command.name }.map(\.key)
      let rest = command.keys.filter { !given.contains($0) }.map(\.settingsName)
      return SettingRow(
        .keys, .command(customKeys: own), ["keys", command.name],
        summary: command.words.map { strings[$0] }.joined(separator: ", "),
        value: own.isEmpty ? nil : (own + rest).joined(separator: " "),
        standard: rest.joined(separator: " "))
    }
    let off = entries.keys.filter(\.command.isEmpty).map { entry in
      SettingRow(
        .keys, .entry, ["keys", entry.key], summary: strings[.settingsKeyOff], value: entry.command)
    }
    return commands + off
  }

  private var servers: [SettingRow] {
    entries.servers.map {
      SettingRow(
        .servers, .entry, ["servers", $0.name], label: SafeText($0.name),
        summary: SafeText($0.address), value: $0.address)
    }
  }

  // MARK: Changing

  func preview(_ change: SettingChange?) {
    var appearance = saved
    if let change, !appearance.apply(change) { return }
    show(appearance)
  }

  func save(_ change: SettingChange) async -> SettingOutcome {
    refresh()
    let change = SettingChange(spelled(change.path), to: change.value)
    if let mistake = mistake(in: change) { return .refused(mistake.sentence(strings)) }
    let before = entries[change.path]
    let old = Settings(file.text ?? "").mistakes.map(\.kind)
    do throws(SettingsFile.Failure) {
      let text = try await file.change(change.path, to: change.value) { [weak self] in
        Task { @MainActor in
          if let self { self.announce(self.strings[.settingsWaiting]) }
        }
      }
      entries = SettingsEntries(text)
      let new = Settings(text)
      _ = saved.apply(change)
      saved.keys = new.keys
      show(saved)
      let lost = new.mistakes.first { !old.contains($0.kind) }
      return .saved(
        undo: SettingChange(change.path, to: before), lost?.sentence(strings) ?? sentence(change))
    } catch {
      return .refused(file.sentence(about: error, strings))
    }
  }

  /// Path as spelled in the file, which may spell a key differently.
  private func spelled(_ path: [String]) -> [String] {
    guard path.count == 2, path[0] == "keys", let key = KeyPress(name: path[1]),
      let same = entries.keys.first(where: { KeyPress(name: $0.key) == key })
    else { return path }
    return ["keys", same.key]
  }

  /// Error that a change would cause in an otherwise empty file; nil if it is valid.
  private func mistake(in change: SettingChange) -> SettingsDiagnostic? {
    guard change.value != nil,
      let text = try? Settings.changing(change.path, to: change.value, in: "")
    else { return nil }
    return Settings(text).mistakes.first { mistake in
      // A command that loses its last key is reported, but may be intended.
      if case .withoutKey = mistake.kind { false } else { true }
    }
  }

  private func sentence(_ change: SettingChange) -> SafeText {
    let name = SafeText(change.path.last ?? "")
    guard let value = change.value else { return strings(.settingsRemoved, name) }
    return strings(.settingsSaved, name, SafeText(value))
  }
}

extension Appearance {
  /// Options whose changes take effect at once.
  static let options: Set<String> = [
    "--view", "--theme", "--pictures", "--plain", "--cursor", "--ascii", "--language",
    "--notify", "--notify-always", "--no-password-cache",
  ]

  /// Applies a change of an option or colour; false if its value is invalid.
  fileprivate mutating func apply(_ change: SettingChange) -> Bool {
    if change.path.count == 2 {
      guard change.path[0] == "colors", let part = ColorPart(rawValue: change.path[1]) else {
        return true
      }
      guard let value = change.value else {
        colors.reset(part)
        return true
      }
      return colors.give(value, to: part)
    }
    let name = "--" + (change.path.first ?? "")
    guard Self.options.contains(name),
      let option = Settings.keptOptions.first(where: { $0.name == name })
    else { return true }
    // An option without a default stays unchanged until the next start.
    guard let value = change.value ?? option.value(in: MarketOptions()) else { return true }
    return option.apply(value, to: &options)
  }
}

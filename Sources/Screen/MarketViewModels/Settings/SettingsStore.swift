package import SafeTextKit

/// Settings of the user's own: what may be set, what is set, and how that looks.
@MainActor package protocol SettingsStore: AnyObject {
  /// Where they are kept, as people call it.
  var path: SafeText { get }
  /// All rows in the order of the screen, as they were read last.
  var rows: [SettingRow] { get }
  /// Reads again what is kept.
  func refresh()
  /// Shows everything as a change would have it, without keeping that; nil shows it as it is kept.
  func preview(_ change: SettingChange?)
  /// Keeps a change and shows it.
  func save(_ change: SettingChange) async -> SettingOutcome
}

/// Change of one setting.
package nonisolated struct SettingChange: Hashable, Sendable {
  /// Its name, behind the name of the table that it stands in.
  package let path: [String]
  /// Nil leaves it to the standard.
  package let value: String?

  package init(_ path: [String], to value: String?) {
    self.path = path
    self.value = value
  }
}

/// What came of a change.
package nonisolated enum SettingOutcome: Hashable, Sendable {
  /// It is kept; what brings it back is another change.
  case saved(undo: SettingChange, SafeText)
  /// Nothing changed, for this reason.
  case refused(SafeText)
}

/// Row of the settings screen: one thing that may be set.
package nonisolated struct SettingRow: Hashable, Identifiable, Sendable {
  package enum Section: CaseIterable, Hashable, Sendable {
    case options, colors, keys, servers
  }

  package enum Kind: Hashable, Sendable {
    /// One of some words.
    case choice([String])
    /// Something that is typed, of this form.
    case text(form: String)
    /// A command, which gets keys by their names; these are its own.
    case command(customKeys: [String])
    /// It can only go.
    case entry
  }

  package let section: Section
  package let kind: Kind
  /// Its name, behind the name of the table that it stands in.
  package let path: [String]
  /// What it is called; the summary where that is short.
  package let label: SafeText
  /// What it is.
  package let summary: SafeText
  /// As it is kept; nil where the standard holds.
  package let value: String?
  /// What holds without it, and for a command its keys.
  package let standard: String
  /// Whether only the next start knows of a change.
  package let needsRestart: Bool

  package init(
    _ section: Section, _ kind: Kind, _ path: [String], label: SafeText? = nil,
    summary: SafeText, value: String?,
    standard: String = "", needsRestart: Bool = false
  ) {
    self.section = section
    self.kind = kind
    self.path = path
    self.label = label ?? summary
    self.summary = summary
    self.value = value
    self.standard = standard
    self.needsRestart = needsRestart
  }

  package var id: [String] { path }

  package var name: String { path.last ?? "" }

  /// Whether it is switched on and off.
  package var isSwitch: Bool {
    if case .choice(let words) = kind { Set(words) == ["false", "true"] } else { false }
  }

  /// What holds.
  package var shown: String { value ?? standard }

  /// What leaves it to the standard; nil where that holds already.
  var removal: SettingChange? {
    switch kind {
    case .choice, .text, .entry: value == nil ? nil : SettingChange(path, to: nil)
    case .command(let customKeys): customKeys.last.map { SettingChange(["keys", $0], to: nil) }
    }
  }
}

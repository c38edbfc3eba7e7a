package import SafeTextKit

/// Port to the user's settings: their rows, changes and previews.
@MainActor package protocol SettingsStore: AnyObject {
  /// Path of the settings file, for display.
  var path: SafeText { get }
  /// All rows as read last, in the order of the screen.
  var rows: [SettingRow] { get }
  /// Reads the settings file again.
  func refresh()
  /// Shows the effect of a change without saving it; nil restores the saved state.
  func preview(_ change: SettingChange?)
  /// Saves a change and shows its effect.
  func save(_ change: SettingChange) async -> SettingOutcome
}

/// Change of one setting.
package nonisolated struct SettingChange: Hashable, Sendable {
  /// Names of the setting's table and of the setting.
  package let path: [String]
  /// New value; nil resets the setting to its default.
  package let value: String?

  package init(_ path: [String], to value: String?) {
    self.path = path
    self.value = value
  }
}

/// Result of a change, with the sentence to show.
package nonisolated enum SettingOutcome: Hashable, Sendable {
  /// The change is saved; `undo` restores the previous value.
  case saved(undo: SettingChange, SafeText)
  /// Nothing was changed.
  case refused(SafeText)
}

/// Row of the settings screen.
package nonisolated struct SettingRow: Hashable, Identifiable, Sendable {
  package enum Section: CaseIterable, Hashable, Sendable {
    case options, colors, keys, servers
  }

  /// Heading of rows: a section, divided by screens where its rows have one.
  package struct Heading: Hashable, Sendable {
    package let section: Section
    package let screen: SafeText?
  }

  /// Way in which a row is changed.
  package enum Kind: Hashable, Sendable {
    /// One of these words.
    case choice([String])
    /// Typed text of this form.
    case text(form: String)
    /// Command; `customKeys` are the names of its keys in the settings file.
    case command(customKeys: [String])
    /// Entry that can only be removed.
    case entry
  }

  package let section: Section
  package let kind: Kind
  /// Names of the setting's table and of the setting.
  package let path: [String]
  /// Title of the row; the summary by default.
  package let label: SafeText
  /// Description of the setting.
  package let summary: SafeText
  /// Screen to which a command belongs; nil for other settings and for commands of boxes.
  package let screen: SafeText?
  /// Which command runs in place of which by the same key; nil for no conflict.
  package let conflict: SafeText?
  /// Saved value; nil for the default.
  package let value: String?
  /// Default value; for a command its keys.
  package let standard: String
  /// Whether a change takes effect with the next start only.
  package let needsRestart: Bool

  package init(
    _ section: Section, _ kind: Kind, _ path: [String], label: SafeText? = nil,
    summary: SafeText, screen: SafeText? = nil, conflict: SafeText? = nil, value: String?,
    standard: String = "", needsRestart: Bool = false
  ) {
    self.section = section
    self.kind = kind
    self.path = path
    self.label = label ?? summary
    self.summary = summary
    self.screen = screen
    self.conflict = conflict
    self.value = value
    self.standard = standard
    self.needsRestart = needsRestart
  }

  package var id: [String] { path }

  package var name: String { path.last ?? "" }

  /// Whether the setting is either true or false.
  package var isSwitch: Bool {
    if case .choice(let words) = kind { Set(words) == ["false", "true"] } else { false }
  }

  /// Effective value.
  package var shown: String { value ?? standard }

  /// Change that resets it to the default; nil if it has the default.
  var removal: SettingChange? {
    switch kind {
    case .choice, .text, .entry: value == nil ? nil : SettingChange(path, to: nil)
    case .command(let customKeys): customKeys.last.map { SettingChange(["keys", $0], to: nil) }
    }
  }
}

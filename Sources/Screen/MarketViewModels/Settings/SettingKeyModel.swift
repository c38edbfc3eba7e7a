import Observation

/// The question which key a command gets; the next one that is pressed answers it.
@Observable
package final class SettingKeyModel: Layer {
  package let row: SettingRow

  private let settings: SettingsModel

  init(_ row: SettingRow, for settings: SettingsModel) {
    self.row = row
    self.settings = settings
  }

  /// Gives the key of this name to the command; where that is refused, another key may be pressed.
  package func give(keyNamed name: String) {
    settings.keep(SettingChange(["keys", name], to: row.name)) { [self] isSaved in
      if isSaved { settings.close(self) }
    }
  }

  package func cancel() { settings.close(self) }
}

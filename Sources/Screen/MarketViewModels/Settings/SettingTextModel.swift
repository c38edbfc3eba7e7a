package import EditorKit
import Observation

/// The line in which a setting is typed; what can be shown of it is shown on the whole screen.
@Observable
package final class SettingTextModel: LineLayer {
  package let row: SettingRow
  /// What may be typed.
  package let form: String
  package private(set) var editor: LineEditor

  private let settings: SettingsModel

  private static let longest = 1_000

  init(_ row: SettingRow, form: String, for settings: SettingsModel) {
    self.row = row
    self.form = form
    self.settings = settings
    editor = LineEditor(row.value ?? "", limit: Self.longest)
  }

  package func edit(_ change: (inout LineEditor) -> Void) {
    let before = editor.text
    change(&editor)
    if editor.text != before { settings.preview(self.change) }
  }

  /// Keeps what was typed, nothing as the standard; where that is refused the line stays.
  package func keep() {
    settings.keep(change) { [self] isSaved in
      if isSaved { settings.close(self) }
    }
  }

  package func cancel() { settings.close(self) }

  package func didClose() { settings.preview(nil) }

  private var change: SettingChange {
    SettingChange(row.path, to: editor.text.isEmpty ? nil : editor.text)
  }
}

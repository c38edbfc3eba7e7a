import Observation

/// The words that a setting may be; each is shown on the whole screen while it is selected.
@Observable
package final class SettingChoiceModel: Layer {
  package let row: SettingRow
  package let words: [String]
  package private(set) var selected: Int

  private let settings: SettingsModel

  init(_ row: SettingRow, _ words: [String], for settings: SettingsModel) {
    self.row = row
    self.words = words
    self.settings = settings
    selected = words.firstIndex(of: row.shown) ?? 0
  }

  package func move(by distance: Int) {
    let target = (selected + distance).clamped(to: 0...max(0, words.count - 1))
    guard target != selected else { return }
    selected = target
    settings.preview(change)
  }

  /// Keeps the selected word; where that fails, everything is as it was.
  package func keep() {
    guard let change else { return }
    settings.keep(change) { [self] _ in settings.close(self) }
  }

  package func cancel() { settings.close(self) }

  package func didClose() { settings.preview(nil) }

  private var change: SettingChange? {
    words.indices.contains(selected) ? SettingChange(row.path, to: words[selected]) : nil
  }
}

import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension SettingKeyModel: ViewedLayer {
  package func view(in frame: Frame) -> SettingKeyView { SettingKeyView(model: self, frame: frame) }
}

/// Dialog over the settings that assigns the next key press to a command.
package struct SettingKeyView: LayerView {
  package let model: SettingKeyModel
  package let frame: Frame

  package static let bindings = BindingTable<SettingKeyView>([
    SharedBindings.cancel(footer: 10) { $0.model.cancel() }
  ])
  package static var takesOwnKeys: Bool { false }

  /// Keys of the Hangul layout are no aliases here, because they cannot be assigned.
  package var isText: Bool { true }

  package func edit(_ key: KeyPress) -> Bool {
    model.give(keyNamed: key.settingsName)
    return true
  }

  package func draw(on canvas: inout Canvas) {
    let box = Box(
      title: model.row.label, rows: 2, in: FullListLayout(frame).list, context)
    box.draw(on: &canvas)
    let texts = [
      (context.strings(.settingsPressKey, model.row.label), context.theme.text),
      (SafeText(model.row.shown), context.theme.secondary),
    ]
    for (row, text) in texts.enumerated() {
      canvas.write(
        text.0.truncated(toColumns: box.content.columns), at: box.content.row(row).origin,
        style: text.1)
    }
    canvas.setCursor(at: box.content.origin, isVisible: false)
  }
}

import MarketStrings
package import MarketViewModels
package import TerminalKit

extension ConflictLayer: ViewedLayer {
  package func view(in frame: Frame) -> ConflictLayerView {
    ConflictLayerView(model: self, frame: frame)
  }
}

/// The choice between two versions of a product, with its keys.
package struct ConflictLayerView: LayerView {
  package let model: ConflictLayer
  package let frame: Frame

  package static let bindings = BindingTable<ConflictLayerView>(
    [
      Binding("other-version", [" ", .left, .right], .keyOtherVersion, footer: 20) {
        $0.model.toggle()
      },
      Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.resolve() },
    ]
      + SharedBindings.choosing(up: [.up, "k"], down: [.down, "j"]) { $0.model.move(by: $1) }
      + [SharedBindings.cancel(footer: 30) { $0.model.cancel() }])
  package static var opens: [any LayerView.Type] { [FormLayerView.self] }
  package static var takesOwnKeys: Bool { false }

  private var contents: ConflictView {
    ConflictView(conflict: model.conflict, bounds: frame.body, context: context)
  }

  package func draw(on canvas: inout Canvas) { contents.draw(on: &canvas) }

  /// Chooses the version that was clicked on.
  package func press(at point: CellPoint) -> Bool {
    guard let (row, isMine) = contents.version(at: point) else { return false }
    model.move(by: row - model.conflict.selected)
    if model.conflict.rows[row].keepsMine != isMine { model.toggle() }
    return true
  }

  package func scroll(by notches: Int) -> Bool {
    model.move(by: notches)
    return true
  }
}

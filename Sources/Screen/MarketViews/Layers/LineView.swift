internal import EditorKit
package import MarketViewModels
package import TerminalKit

/// View of a layer with one text line, which takes keys, pastes and clicks.
@MainActor package protocol LineView: LayerView where Model: LineLayer {
  /// The line with its position.
  var field: FieldLine { get }
}

extension LineView {
  package var isText: Bool { true }

  package func edit(_ key: KeyPress) -> Bool {
    guard let change = LineKeys.change(for: key) else { return false }
    model.edit { change.apply(to: &$0) }
    return true
  }

  package func paste(_ text: String) -> Bool {
    model.edit { $0.paste(text) }
    return true
  }

  /// Moves the caret to the clicked position.
  package func press(at point: CellPoint) -> Bool { moveCaret(to: point) }

  func moveCaret(to point: CellPoint) -> Bool {
    guard let place = field.position(at: point) else { return false }
    model.edit { $0.buffer.move(to: place) }
    return true
  }
}

package import TerminalKit

/// View of choices: lines of which one is chosen by keys, by the wheel or by a click, and in a menu by
/// its number.
@MainActor package protocol MenuLayerView: LayerView {
  associatedtype Choices: ChoicesOnScreen
  var box: Choices { get }
  func moveSelection(by distance: Int)
  /// Applies the choice of this index, the selected one for nil; an index of none does nothing.
  func choose(_ index: Int?)
  /// Leaves without a choice, as a click beside the choices does.
  func leave()
}

extension MenuLayerView {
  package func draw(on canvas: inout Canvas) { box.draw(on: &canvas) }

  package func scroll(by notches: Int) -> Bool {
    moveSelection(by: notches)
    return true
  }

  package func press(at point: CellPoint) -> Bool {
    if let index = box.choice(at: point) { choose(index) } else { leave() }
    return true
  }

  package func leave() { close() }
}

/// Choices as they stand on the screen: in a menu that drops from what it is about, or in a box.
@MainActor package protocol ChoicesOnScreen {
  func draw(on canvas: inout Canvas)
  /// The index of the choice at a point, for a click.
  func choice(at point: CellPoint) -> Int?
}

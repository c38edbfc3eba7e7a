package import TerminalKit

/// View of a menu: lines of which one is chosen by keys, by its number, by the wheel or by a click.
@MainActor package protocol MenuLayerView: LayerView {
  var box: MenuBox { get }
  func moveSelection(by distance: Int)
  /// Applies the choice of this index, the selected one for nil; an index of none does nothing.
  func choose(_ index: Int?)
}

extension MenuLayerView {
  package func draw(on canvas: inout Canvas) { box.draw(on: &canvas) }

  package func scroll(by notches: Int) -> Bool {
    moveSelection(by: notches)
    return true
  }

  /// A click beside the choices leaves the menu.
  package func press(at point: CellPoint) -> Bool {
    if let index = box.choice(at: point) { choose(index) } else { close() }
    return true
  }
}

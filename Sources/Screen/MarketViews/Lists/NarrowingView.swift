internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension NarrowingModel: ViewedLayer {
  package func view(in frame: Frame) -> NarrowingView { NarrowingView(model: self, frame: frame) }
}

/// Text line above a list that filters it; all other input goes to the list.
package struct NarrowingView: LineView {
  package let model: NarrowingModel
  package let frame: Frame

  package static let bindings = BindingTable<NarrowingView>([
    Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.close() },
    Binding("clear-filter", [.escape], .keyClearFilter, footer: 20) { $0.model.clear() },
    SharedBindings.quit(),
  ])
  package static var takesOwnKeys: Bool { false }

  package var passesInput: Bool { true }
  package var editingRows: [EditingRow] { LineKeys.rows }

  package var field: FieldLine {
    (frame.view(below: model) as? any SectionedListView)?.narrowingField
      ?? FieldLine(label: .empty, editor: model.line, rect: .zero, hint: .empty)
  }

  package func draw(on canvas: inout Canvas) { field.draw(on: &canvas, context) }
}

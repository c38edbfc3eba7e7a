internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension SellerNameModel: ViewedLayer {
  package func view(in frame: Frame) -> SellerNameView { SellerNameView(model: self, frame: frame) }
}

/// The question under which name somebody sells.
package struct SellerNameView: LineView {
  package let model: SellerNameModel
  package let frame: Frame

  package static let bindings = BindingTable<SellerNameView>(
    [
      Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.confirm() },
      SharedBindings.cancel(footer: 20) { $0.model.cancel() },
    ])
  package static var opens: [any LayerView.Type] { [SendingView.self] }
  package static var takesOwnKeys: Bool { false }

  private static let rows = 5

  package func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    let question: Phrase = model.isChange ? .sellerNameChange : .sellerNameQuestion
    if area.rows > 1 {
      canvas.write(
        context.strings[question].truncated(toColumns: area.columns), at: area.origin,
        style: context.theme.text)
    }
    field.draw(on: &canvas, context)
  }

  private var box: Box {
    Box(title: context.strings[.sellerNameTitle], rows: Self.rows, in: frame.body, context)
  }

  /// Where the question and the line stand, with a row above and below where the window has them.
  private var area: CellRect {
    let content = box.content
    let padding = content.rows >= Self.rows ? 1 : 0
    return content.inset(left: 1, top: padding, right: 1, bottom: padding)
  }

  package var field: FieldLine {
    FieldLine(
      label: context.strings[.fieldSellerName], editor: model.editor,
      rect: area.row(min(2, area.rows - 1)),
      hint: .empty)
  }
}

extension Phrase {
  static var fieldSellerName: Phrase { .named() }
  static var sellerNameQuestion: Phrase { .named() }
  static var sellerNameChange: Phrase { .named() }
}

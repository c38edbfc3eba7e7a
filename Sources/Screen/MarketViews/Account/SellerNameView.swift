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

  package func draw(on canvas: inout Canvas) {
    let box = box
    box.draw(on: &canvas)
    let question: Phrase = model.isChange ? .sellerNameChange : .sellerNameQuestion
    let text = context.strings[question].truncated(toColumns: box.content.columns)
    canvas.write(text, at: box.content.origin, style: context.theme.text)
    field.draw(on: &canvas, context)
  }

  private var box: Box {
    Box(title: context.strings[.sellerNameTitle], rows: 3, in: frame.body, context)
  }

  package var field: FieldLine {
    FieldLine(
      label: context.strings[.fieldSellerName], editor: model.editor, rect: box.content.row(2),
      hint: .empty)
  }
}

extension Phrase {
  static var fieldSellerName: Phrase { .named() }
  static var sellerNameQuestion: Phrase { .named() }
  static var sellerNameChange: Phrase { .named() }
}

internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension SellerLineModel: ViewedLayer {
  package func view(in frame: Frame) -> SellerLineView { SellerLineView(model: self, frame: frame) }
}

/// The questions under which name somebody sells, and how to be reached.
package struct SellerLineView: LineView {
  package let model: SellerLineModel
  package let frame: Frame

  package static let bindings = BindingTable<SellerLineView>(
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
    // A question of two lines takes the blank row above the field as well.
    let lines = context.strings[question].wrapped(toColumns: max(1, area.columns))
    for (row, line) in lines.prefix(fieldRow).enumerated() {
      canvas.write(
        line, at: area.row(row).origin,
        style: model.isRefused ? context.theme.warning : context.theme.text)
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
      label: context.strings[label], editor: model.editor,
      rect: area.row(fieldRow), hint: .empty)
  }

  private var fieldRow: Int { max(0, min(2, area.rows - 1)) }
}

extension SellerLineView {
  private var question: Phrase {
    switch model.subject {
    case .name(let isChange): isChange ? .sellerNameChange : .sellerNameQuestion
    case .contact: model.isRefused ? .sellerContactRefused : .sellerContactQuestion
    }
  }

  private var label: Phrase {
    switch model.subject {
    case .name: .fieldSellerName
    case .contact: .fieldSellerContact
    }
  }
}

extension Phrase {
  static var fieldSellerContact: Phrase { .named() }
  static var sellerContactQuestion: Phrase { .named() }
  static var sellerContactRefused: Phrase { .named() }
  static var fieldSellerName: Phrase { .named() }
  static var sellerNameQuestion: Phrase { .named() }
  static var sellerNameChange: Phrase { .named() }
}

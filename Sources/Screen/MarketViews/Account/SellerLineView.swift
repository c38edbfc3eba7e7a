internal import EditorKit
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
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

  /// Rows of the question, and those of the box around it: the field, and a row above and below.
  private static let (questionRows, rowsAround) = (2, 3)

  package func draw(on canvas: inout Canvas) {
    box(ofRows: rows).draw(on: &canvas)
    let area = area
    for (row, line) in lines.prefix(fieldRow(in: area)).enumerated() {
      canvas.write(
        line, at: area.row(row).origin,
        style: model.isRefused ? context.theme.warning : context.theme.text)
    }
    field.draw(on: &canvas, context)
  }

  /// The question, of which a second line takes the blank row above the field as well.
  private var lines: [SafeText] {
    let columns = box(ofRows: Self.rowsAround).content.columns - 2
    return context.strings[question].wrapped(toColumns: max(1, columns))
  }

  private var rows: Int { max(Self.questionRows, lines.count) + Self.rowsAround }

  private func box(ofRows rows: Int) -> Box {
    Box(title: context.strings[.sellerNameTitle], rows: rows, in: frame.body, context)
  }

  /// Where the question and the line stand, with a row above and below where the window has them.
  private var area: CellRect {
    let rows = rows
    let content = box(ofRows: rows).content
    let padding = content.rows >= rows ? 1 : 0
    return content.inset(left: 1, top: padding, right: 1, bottom: padding)
  }

  package var field: FieldLine {
    let area = area
    return FieldLine(
      label: context.strings[label], editor: model.editor, rect: area.row(fieldRow(in: area)),
      hint: .empty)
  }

  private func fieldRow(in area: CellRect) -> Int {
    max(0, min(max(Self.questionRows, lines.count), area.rows - 1))
  }
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

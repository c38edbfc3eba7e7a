internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension PasswordModel: ViewedLayer {
  package func view(in frame: Frame) -> PasswordView { PasswordView(model: self, frame: frame) }
}

/// The prompt for a product's password: product, market and price at its top, dots, and what was
/// wrong last.
package struct PasswordView: LayerView {
  package let model: PasswordModel
  package let frame: Frame

  package static let bindings = BindingTable<PasswordView>(
    [
      Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.confirm() },
      SharedBindings.cancel(footer: 20) { $0.model.cancel() },
    ])
  package static var opens: [any LayerView.Type] { [FormLayerView.self, QuestionView.self] }
  package static var takesOwnKeys: Bool { false }

  package var isText: Bool { true }

  package func edit(_ key: KeyPress) -> Bool {
    guard let change = SecretKeys.change(for: key) else { return false }
    model.edit(change)
    return true
  }

  package func paste(_ text: String) -> Bool {
    model.edit { $0.type(text) }
    return true
  }

  package func draw(on canvas: inout Canvas) {
    let box = Box(
      title: context.strings[model.purpose.phrase], rows: 7, in: frame.body, context)
    box.draw(on: &canvas)
    let area = box.content.inset(left: 1, right: 1)
    ProductLines(product: model.product, market: frame.marketName, context: context)
      .draw(on: &canvas, in: area.inset(top: 1))
    drawField(on: &canvas, in: area.row(4))
    if let status {
      canvas.write(
        status.text.truncated(toColumns: area.columns), at: area.row(5).origin,
        style: status.style)
    }
    let keys = rows.map { row -> SafeText in
      (row.keys.first.map(context.name) ?? .empty) + " " + context.strings[row.words]
    }
    canvas.write(
      keys.joined(separator: "   ").truncated(toColumns: area.columns), at: area.row(6).origin,
      style: context.theme.secondary)
  }

  private func drawField(on canvas: inout Canvas, in rect: CellRect) {
    let label = context.strings[.fieldPassword]
    canvas.write(label, at: rect.origin, style: context.theme.secondary)
    let strip = rect.inset(left: label.columns + 2)
    canvas.fill(strip, style: context.theme.field)
    let room = strip.inset(left: 1, right: 1)
    let masked = model.secret.masked
    let shown = masked.dropping(columns: max(0, masked.columns - room.columns + 1))
    canvas.write(shown, at: room.origin, style: context.theme.field)
    canvas.setCursor(at: room.origin.moved(columns: shown.columns), isVisible: true)
  }

  private var status: (text: SafeText, style: Style)? {
    let strings = context.strings
    switch model.gate.phase {
    case .asking(nil): return nil
    case .asking(.wrongPassword):
      let text = strings.counted(.passwordWrong, max(1, model.gate.wrongCount))
      return ("✗ " + text, context.theme.warning)
    case .asking(.some(let error)):
      return ("✗ " + ErrorText.text(error, strings), context.theme.warning)
    case .verifying, .open: return (strings[.passwordChecking], context.theme.secondary)
    }
  }
}

/// Lines that say which product something is about: its name, the market and what it costs.
struct ProductLines {
  let product: ListedProduct
  let market: SafeText
  let context: RenderContext

  func draw(on canvas: inout Canvas, in rect: CellRect) {
    canvas.write(
      product.name.truncated(toColumns: rect.columns), at: rect.origin,
      style: context.theme.strong)
    let place = market + " · "
    let second = rect.row(1)
    canvas.write(
      place.truncated(toColumns: second.columns), at: second.origin,
      style: context.theme.secondary)
    guard place.columns < second.columns else { return }
    PriceLine(product.product.pricing, context).draw(
      on: &canvas, at: second.origin.moved(columns: place.columns),
      columns: second.columns - place.columns, withPercent: false, context)
  }
}

extension Phrase {
  static var passwordWrong: Phrase { .named() }
  static var passwordChecking: Phrase { .named() }
}

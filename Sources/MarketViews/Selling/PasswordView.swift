internal import EditorKit
internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The prompt for a product's password: product, market and price at its top, dots, and what was
/// wrong last.
struct PasswordView {
  let prompt: PasswordPrompt
  let market: SafeText
  let bounds: CellRect
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    let box = Box(
      title: context.strings[prompt.purpose.phrase], rows: 7, in: bounds, context)
    box.draw(on: &canvas)
    let area = box.content.inset(left: 1, right: 1)
    ProductLines(product: prompt.product, market: market, context: context)
      .draw(on: &canvas, in: area.inset(top: 1))
    drawField(on: &canvas, in: area.row(4))
    if let status {
      canvas.write(
        status.text.truncated(toColumns: area.columns), at: area.row(5).origin,
        style: status.style)
    }
    let keys = SellingKeys.footer(for: .password).map { command -> SafeText in
      let binding = SellingKeys.bindings(for: .password).first { $0.command == command }
      let key = binding?.keys.first.map(KeyName.text) ?? .empty
      return key + " " + context.strings[command.phrase]
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
    let masked = prompt.secret.masked
    let shown = masked.dropping(columns: max(0, masked.columns - room.columns + 1))
    canvas.write(shown, at: room.origin, style: context.theme.field)
    canvas.setCursor(at: room.origin.moved(columns: shown.columns), isVisible: true)
  }

  private var status: (text: SafeText, style: Style)? {
    let strings = context.strings
    switch prompt.gate.phase {
    case .asking(nil): return nil
    case .asking(.wrongPassword):
      let text = strings.counted(.passwordWrong, max(1, prompt.gate.wrongCount))
      return ("✗ " + text, context.theme.warning)
    case .asking(.some(let error)):
      return ("✗ " + ErrorText.text(error, strings), context.theme.warning)
    case .verifying, .open: return (strings[.passwordChecking], context.theme.secondary)
    }
  }
}

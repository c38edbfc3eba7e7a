internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension PasswordModel: ViewedLayer {
  package func view(in frame: Frame) -> PasswordView { PasswordView(model: self, frame: frame) }
}

/// Password prompt for a product: product, market and price at the top, the masked password, and the
/// last error.
package struct PasswordView: LayerView {
  package let model: PasswordModel
  package let frame: Frame

  package static let bindings = BindingTable<PasswordView>(
    [
      Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.confirm() },
      Binding(
        "show-password", [.function(9)], .keyHidePassword, footer: 15, when: \.model.isShown
      ) { $0.model.toggleShown() },
      Binding("show-password", [.function(9)], .keyShowPassword, footer: 15) {
        $0.model.toggleShown()
      },
      SharedBindings.cancel(footer: 20) { $0.model.cancel() },
    ])
  package static var opens: [any LayerView.Type] { [FormLayerView.self, ConfirmationView.self] }
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

  private static let rows = 7

  package func draw(on canvas: inout Canvas) {
    let box = Box(
      title: context.strings[model.purpose.phrase], rows: Self.rows, in: frame.body, context)
    box.draw(on: &canvas)
    let area = box.content.inset(left: 1, right: 1)
    // A low window shows the field rather than the lines above it.
    let hidden = max(0, Self.rows - 1 - area.rows)
    if hidden == 0 {
      drawProducts(on: &canvas, in: area.inset(top: 1))
    }
    PasswordField(
      label: context.strings[ProductField.password.phrase], secret: model.secret,
      isShown: model.isShown,
      rect: area.row(4 - hidden)
    ).draw(on: &canvas, context)
    let (text, style) = status
    canvas.write(
      text.truncated(toColumns: area.columns), at: area.row(5 - hidden).origin, style: style)
  }

  private func drawProducts(on canvas: inout Canvas, in rect: CellRect) {
    let (strings, name) = (context.strings, model.product.name)
    guard model.count > 1 else {
      return ProductLines(product: model.product, market: frame.marketName, context: context)
        .draw(on: &canvas, in: rect)
    }
    let tail = strings(.passwordOfSeveral, .empty, SafeText(model.count - 1))
    let names = strings(
      .passwordOfSeveral, name.truncated(toColumns: max(0, rect.columns - tail.columns)),
      SafeText(model.count - 1))
    canvas.write(names, at: rect.origin, style: context.theme.strong)
    canvas.write(
      frame.marketName.truncated(toColumns: rect.columns), at: rect.row(1).origin,
      style: context.theme.secondary)
  }

  /// Last error until further input; else the hint.
  private var status: (text: SafeText, style: Style) {
    let (strings, theme) = (context.strings, context.theme)
    switch model.gate.phase {
    case .asking(.some(let error)) where model.secret.isEmpty || model.samplePassword == nil:
      return ("✗ " + text(of: error), theme.warning)
    case .asking: return model.news.map { (text(of: $0), theme.warning) } ?? (hint, theme.secondary)
    case .verifying, .open: return (strings[.passwordChecking], theme.secondary)
    }
  }

  private var hint: SafeText {
    let strings = context.strings
    if model.count > 1 {
      let phrase: Phrase = model.purpose == .deletion ? .passwordToDelete : .passwordOfBulk
      return strings(phrase, SafeText(model.count))
    }
    if let password = model.samplePassword { return strings(.passwordOfSample, SafeText(password)) }
    let isKept = navigator.selling?.passwordCache.hasPassword == true
    return strings[
      isKept && model.purpose == .deletion ? .passwordAskedToDelete : .passwordAsked]
  }

  private func text(of news: LiveMarket.RowChange) -> SafeText {
    switch news {
    case .changed: context.strings[.passwordChanged]
    case .deleted: context.strings[.passwordDeleted]
    }
  }

  /// Returns the text of an error; a wrong password with the tries that are left where the market says
  /// their limit.
  private func text(of error: RepositoryError) -> SafeText {
    let strings = context.strings
    guard error == .wrongPassword else { return ErrorText.text(error, strings) }
    if model.isFromCache { return strings[.passwordOfOther] }
    let count = max(1, model.gate.wrongCount)
    guard let limit = model.tryLimit, count <= limit else {
      return strings.counted(.passwordWrong, count)
    }
    return strings.counted(.passwordWrongLeft, limit - count)
  }
}

/// Lines that identify a product: name, market and price.
struct ProductLines {
  let product: ListedProduct
  let market: SafeText
  let context: RenderContext

  func draw(on canvas: inout Canvas, in rect: CellRect) {
    canvas.write(
      product.name.truncated(toColumns: rect.columns), at: rect.origin,
      style: context.theme.strong)
    let position = market + " · "
    let second = rect.row(1)
    canvas.write(
      position.truncated(toColumns: second.columns), at: second.origin,
      style: context.theme.secondary)
    guard position.columns < second.columns else { return }
    PriceLine(product.product, context).draw(
      on: &canvas, at: second.origin.moved(columns: position.columns),
      columns: second.columns - position.columns, withPercent: false, context)
  }
}

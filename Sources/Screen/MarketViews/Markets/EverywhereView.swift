internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension EverywhereModel: ViewedLayer {
  package func view(in frame: Frame) -> EverywhereView { EverywhereView(model: self, frame: frame) }
}

/// What all markets have found: each market with its finds under its name, or all in one list.
package struct EverywhereView: LayerView {
  package let model: EverywhereModel
  package let frame: Frame

  package static let bindings = BindingTable<EverywhereView>(
    opening + moving + SharedBindings.paging { $0.model.move($1, times: $2 ?? 1) }
      + SharedBindings.general() + [SharedBindings.quit()])

  private static let opening: [Binding<EverywhereView>] = [
    Binding("open", [.enter], .keyOpen, footer: 10, offered: \.model.mayOpen) {
      $0.model.openSelected()
    },
    SharedBindings.back([.escape, "q", .backspace], footer: 20, leave),
    Binding("toggle-merged", ["v"], .keyMergeMarkets, footer: 30, when: \.isGrouped) {
      $0.model.toggleMerged()
    },
    Binding("toggle-merged", ["v"], .keyGroupMarkets, footer: 30) { $0.model.toggleMerged() },
    Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh, footer: 40) {
      $0.navigator.refresh()
    },
  ]

  /// Back to where the search began.
  private static let leave: (EverywhereView, Int?) -> Void = { view, _ in view.model.close() }

  private static let moving: [Binding<EverywhereView>] = [
    .counted("up", [.up, "k", .control("p")], .keyUp) { $0.model.move(.up, times: $1 ?? 1) }
      .grouped(.move),
    .counted("down", [.down, "j", .control("n")], .keyDown) {
      $0.model.move(.down, times: $1 ?? 1)
    }.grouped(.move),
  ]

  private var isGrouped: Bool { !model.isMerged }

  package static var opens: [any LayerView.Type] { [DetailView.self] }

  package var coversBody: Bool { true }
  package var takesCounts: Bool { true }

  package var title: WindowTitle? {
    let strings = context.strings
    let note =
      model.isAsking ? strings[.everywhereAsking] : strings.counted(.productCount, model.count)
    return WindowTitle(
      strings(.everywhereFor, SafeText(model.request.line(in: strings.language.ofSearch))),
      note: note)
  }

  package func layOut() { model.didLayOut(rows: max(1, frame.body.rows)) }

  package func scroll(by notches: Int) -> Bool {
    model.move(notches < 0 ? .up : .down, times: abs(notches) * 3)
    return true
  }

  /// A click selects a find; one on what is selected opens it.
  package func press(at point: CellPoint) -> Bool {
    guard frame.body.contains(point) else { return false }
    let line = model.viewport.topRow + point.row - frame.body.minRow
    if line == model.viewport.selected { model.openSelected() } else { model.select(line) }
    return true
  }

  // MARK: Drawing

  package func draw(on canvas: inout Canvas) {
    let lines = model.lines
    for index in model.viewport.visible where lines.indices.contains(index) {
      let rect = frame.body.row(index - model.viewport.topRow)
      switch lines[index] {
      case .source(let source): draw(model.sources[source], in: rect, on: &canvas)
      case .product(let product, let source):
        draw(
          product, of: model.sources[source], isSelected: index == model.viewport.selected,
          in: rect, on: &canvas)
      }
    }
  }

  /// A market's name with how much it has found, or why it has not.
  private func draw(
    _ source: EverywhereModel.Source, in rect: CellRect, on canvas: inout Canvas
  ) {
    let theme = context.theme
    let name = name(of: source).truncated(toColumns: max(0, rect.columns - 2))
    canvas.write(name, at: rect.origin.moved(columns: 1), style: theme.accent)
    let start = 1 + name.columns + 2
    let (text, style) = state(of: source)
    canvas.write(
      text.truncated(toColumns: max(0, rect.columns - start - 1)),
      at: rect.origin.moved(columns: start), style: style)
  }

  private func name(of source: EverywhereModel.Source) -> SafeText {
    source.market.name ?? context.strings[.marketLocal]
  }

  private func state(of source: EverywhereModel.Source) -> (SafeText, Style) {
    let (strings, theme) = (context.strings, context.theme)
    return switch source.state {
    case .asking: ("…", theme.secondary)
    case .answered(.exactly(0)): (strings[.everywhereNothing], theme.secondary)
    case .answered(.exactly(let count)): (strings.counted(.productCount, count), theme.secondary)
    case .answered(.atLeast(let count)):
      (strings.counted(.productCountAtLeast, count), theme.secondary)
    case .answered(.unknown):
      (strings.counted(.productCount, source.products.count), theme.secondary)
    case .failed(.unsupported): (strings[.everywhereCannot], theme.warning)
    case .failed(let error): (ErrorText.text(error, strings), theme.warning)
    }
  }

  /// A find: name, price and age, and in one list of all its market.
  private func draw(
    _ product: ListedProduct, of source: EverywhereModel.Source, isSelected: Bool,
    in rect: CellRect, on canvas: inout Canvas
  ) {
    guard !rect.isEmpty else { return }
    let theme = context.theme
    let look = { (style: Style) in isSelected ? theme.selected(style) : style }
    if isSelected { canvas.markSelected(rect, theme) }
    var end = rect.columns - 1
    let age = AgeText.text(product.product.created, now: context.now, context.strings)
    let price = PriceLine(product.product.pricing, context, marksReduced: false)
    let market = model.isMerged ? name(of: source).truncated(toColumns: 16) : .empty
    for (text, width, style) in [
      (market, model.isMerged ? 16 : 0, theme.secondary), (age, 8, theme.secondary),
      (price.toPay, 12, price.toPayStyle),
    ] where width > 0 && end - width > Self.narrowestName {
      canvas.write(
        text, at: rect.origin.moved(columns: end - text.columns), style: look(style))
      end -= max(width, text.columns) + 1
    }
    let start = model.isMerged ? 2 : 4
    canvas.write(
      product.name.truncated(toColumns: max(0, end - start)),
      at: rect.origin.moved(columns: start),
      style: look(isSelected ? theme.strong : theme.text))
  }

  private static let narrowestName = 14
}

extension Phrase {
  package static var keyMergeMarkets: Phrase { .named() }
  package static var keyGroupMarkets: Phrase { .named() }
  static var everywhereFor: Phrase { .named() }
  static var everywhereAsking: Phrase { .named() }
  static var everywhereNothing: Phrase { .named() }
  static var everywhereCannot: Phrase { .named() }
}

internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
internal import TerminalKit

extension WaitsModel: ViewedLayer {
  package func view(in frame: Frame) -> WaitsView { WaitsView(model: self, frame: frame) }
}

/// The list of what has come, then of what one waits for, each with its market.
package struct WaitsView: MenuLayerView {
  package let model: WaitsModel
  package let frame: Frame

  package static let bindings = BindingTable<WaitsView>(
    [
      Binding("open", [.enter], .keyOpen, footer: 10, offered: \.hasLines) { $0.choose(nil) },
      Binding(
        "remove-alert", [.delete, "D"], .keyEndWait, footer: 20, isDestructive: true,
        offered: \.hasLines
      ) { $0.model.removeSelected() },
      Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh, footer: 40) {
        $0.navigator.refresh()
      },
      SharedBindings.cancel(footer: 30) { $0.close() },
    ] + SharedBindings.choosing { $0.moveSelection(by: $1) }
      + SharedBindings.ends { $0.moveSelection(by: $1) })
  package static var opens: [any LayerView.Type] { [DetailView.self] }
  package static var takesOwnKeys: Bool { false }

  private static let columns = 74

  private var hasLines: Bool { model.lines?.isEmpty == false }

  package var box: ChoiceBox {
    let strings = context.strings
    let lines = model.lines ?? []
    return ChoiceBox(
      title: strings[.waitsTitle],
      lines: lines.isEmpty
        ? [(strings[model.lines == nil ? .loading : .noWaits], .empty)] : lines.map(line),
      selected: lines.isEmpty ? nil : model.selected, columns: Self.columns, bounds: frame.body,
      context: context)
  }

  /// What it is at the left, and at the right what is told of it, with the market where it is another.
  private func line(_ line: WaitsModel.Line) -> (left: SafeText, right: SafeText) {
    let strings = context.strings
    let market = model.market(of: line)
    let place: [SafeText] =
      market.key == navigator.market ? [] : [market.name ?? strings[.marketLocal]]
    switch line {
    case .hit(let hit):
      let facts = [HitText.price(of: hit, strings), HitText.condition(hit.condition, strings)]
      return (
        HitText.mark(of: hit) + HitText.name(of: hit, strings),
        (facts + place).joined(separator: " · ")
      )
    case .wait(let wait):
      let silence = model.silence(of: .wait(wait)).map { since in
        strings(.waitNoAnswer, DateText.recent(since, now: context.now, strings))
      }
      let facts = [HitText.condition(wait.condition, strings), silence].compactMap(\.self)
      return ("… " + SafeText(wait.name), (facts + place).joined(separator: " · "))
    }
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package func choose(_ index: Int?) {
    if let index { model.move(by: index - model.selected) }
    model.openSelected()
  }
}

extension Phrase {
  static var keyEndWait: Phrase { .named() }
  static var waitsTitle: Phrase { .named() }
  static var noWaits: Phrase { .named() }
  static var waitNoAnswer: Phrase { .named() }
}

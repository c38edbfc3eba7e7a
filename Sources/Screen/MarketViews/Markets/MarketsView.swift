internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension MarketsModel: ViewedLayer {
  package func view(in frame: Frame) -> MarketsView { MarketsView(model: self, frame: frame) }
}

/// The menu of markets, which drops from the market's name in the top bar.
package struct MarketsView: MenuLayerView {
  package let model: MarketsModel
  package let frame: Frame

  package static let bindings = BindingTable<MarketsView>(
    [
      Binding("previous-market", ["w", .tab], .keyPreviousMarket, offered: \.model.hasPrevious) {
        $0.model.showPrevious()
      },
      Binding("add-market", ["a"], .keyAddMarket, footer: 16) { $0.model.add() },
      Binding("search-everywhere", ["/"], .keySearchEverywhere) { $0.model.searchEverywhere() },
      Binding("rename-market", ["e"], .keyRenameMarket, footer: 22, offered: \.isRemembered) {
        $0.model.rename()
      },
      Binding(
        "forget-market", [.delete, "D"], .keyForgetMarket, footer: 24, isDestructive: true,
        offered: \.isRemembered
      ) { $0.model.forget() },
      Binding("open-at-start", ["o"], .keyOpenAtStart, footer: 26, offered: \.model.mayOpenAtStart)
      { $0.model.openAtStart() },
      Binding("serve-market", ["s"], .keyServeMarket, offered: \.model.mayServe) {
        $0.model.serve()
      },
      Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh) {
        $0.navigator.refresh()
      }.grouped(.program),
    ] + SharedBindings.menu())

  package static var opens: [any LayerView.Type] {
    [PromptView.self, MarketServeView.self, MultiMarketSearchView.self]
  }

  private var isRemembered: Bool { model.market?.isRemembered == true }

  package func choose(_ index: Int?) {
    guard let index else { return model.choose() }
    guard (0..<model.rows.count + model.ways.count).contains(index) else { return }
    model.move(by: index - model.selected)
    model.choose()
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package var box: MarketsBox {
    MarketsBox(
      lines: model.rows.map(line), ways: model.ways.map { context.strings[$0.phrase] },
      selected: model.selected, anchor: frame.layout.topBar, bounds: frame.body, context: context)
  }

  private func line(_ row: MarketsModel.Row) -> MarketsBox.Line {
    let text = MarketText(row, context.strings)
    return MarketsBox.Line(
      name: row.market.name ?? context.strings[.marketLocal],
      isShown: row.market.key == model.shown, opensAtStart: row.market.opensAtStart,
      count: text.count, new: text.new, far: text.far, api: text.api, note: text.note,
      hasFailed: text.hasFailed)
  }
}

/// Words about a market in the menu of markets.
private struct MarketText {
  var count = SafeText.empty
  var new = SafeText.empty
  var far = SafeText.empty
  var api = SafeText.empty
  /// What is said instead of all of it.
  var note = SafeText.empty
  var hasFailed = false

  init(_ row: MarketsModel.Row, _ strings: Strings) {
    far = row.market.location.isServer ? .empty : strings[.marketHere]
    switch row.state {
    case .asking: note = "…"
    case .opening: note = strings[.marketOpening]
    case .failed(let error):
      note = ErrorText.text(error, strings)
      hasFailed = true
    case .answered(let glance, let new):
      count = MarketAnswerText.count(glance, strings) ?? .empty
      if let new, new.count > 0 {
        self.new = NewText.count(new, strings)
      }
      if let elapsed = glance.elapsed { far = SafeText(elapsed.milliseconds) + " ms" }
      api = glance.api ?? .empty
    }
  }
}

extension MarketsModel.MenuAction {
  fileprivate var phrase: Phrase {
    switch self {
    case .add: .marketsAdd
    case .everywhere: .marketsEverywhere
    case .serve: .marketsServe
    }
  }
}

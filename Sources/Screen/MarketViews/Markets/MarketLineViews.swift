internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension MarketAddModel: ViewedLayer {
  package func view(in frame: Frame) -> MarketAddView { MarketAddView(model: self, frame: frame) }
}

extension MarketNameModel: ViewedLayer {
  package func view(in frame: Frame) -> MarketNameView { MarketNameView(model: self, frame: frame) }
}

extension MultiMarketSearchLineModel: ViewedLayer {
  package func view(in frame: Frame) -> MultiMarketSearchLineView {
    MultiMarketSearchLineView(model: self, frame: frame)
  }
}

/// The line in which the address or the file of another market is typed.
package struct MarketAddView: LineView {
  package let model: MarketAddModel
  package let frame: Frame

  package static let bindings = BindingTable<MarketAddView>(
    [
      Binding("confirm", [.enter], .keyMakeMarket, footer: 10, when: \.isMissing) {
        $0.model.confirm()
      },
      Binding("confirm", [.enter], .keyAskMarket, footer: 10) { $0.model.confirm() },
      SharedBindings.cancel(footer: 20) { $0.model.cancel() },
    ])
  package static var opens: [any LayerView.Type] { [MarketNameView.self] }
  package static var takesOwnKeys: Bool { false }

  private var isMissing: Bool { if case .missing = model.phase { true } else { false } }

  private var dialog: LineDialog {
    LineDialog(
      title: context.strings[.marketAddTitle], label: context.strings[.marketAddLabel],
      editor: model.editor, hint: "market.example", note: note, isError: isError, frame: frame)
  }

  package var field: FieldLine { dialog.field }
  package func draw(on canvas: inout Canvas) { dialog.draw(on: &canvas) }

  /// What came of it, with the next step.
  private var note: SafeText {
    let strings = context.strings
    switch model.phase {
    case .typing: return strings[.marketAddHint]
    case .asking(let market): return strings(.marketAsking, market.name ?? .empty)
    case .unreadable: return strings[.marketUnreadable]
    case .missing(let market): return strings(.marketMissing, SafeText(market.location.text ?? ""))
    case .failed(.unreachable(.insecure)): return strings[.marketInsecure]
    case .failed(let error): return strings(.marketAskAgain, ErrorText.text(error, strings))
    }
  }

  private var isError: Bool {
    switch model.phase {
    case .typing, .asking, .missing: false
    case .unreadable, .failed: true
    }
  }
}

/// The line in which a market gets its name, under what it has answered.
package struct MarketNameView: LineView {
  package let model: MarketNameModel
  package let frame: Frame

  package static let bindings = BindingTable<MarketNameView>([
    Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.confirm() },
    SharedBindings.cancel(footer: 20) { $0.model.cancel() },
  ])
  package static var takesOwnKeys: Bool { false }

  private var dialog: LineDialog {
    LineDialog(
      title: context.strings[title], label: context.strings[.marketNameLabel],
      editor: model.editor, hint: .empty, note: note, isError: false, frame: frame)
  }

  private var title: Phrase {
    switch model.purpose {
    case .remember: .marketAddTitle
    case .rename: .marketRenameTitle
    }
  }

  /// What answers there.
  private var note: SafeText {
    let place = SafeText(model.market.location.text ?? "")
    guard case .remember(let glance) = model.purpose else { return place }
    return context.strings(
      .marketAnswered, place, MarketAnswerText.text(glance, context.strings))
  }

  package var field: FieldLine { dialog.field }
  package func draw(on canvas: inout Canvas) { dialog.draw(on: &canvas) }
}

/// The line in which is typed what all markets are searched for.
package struct MultiMarketSearchLineView: LineView {
  package let model: MultiMarketSearchLineModel
  package let frame: Frame

  package static let bindings = BindingTable<MultiMarketSearchLineView>([
    Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.confirm() },
    SharedBindings.cancel(footer: 20) { $0.model.cancel() },
  ])
  package static var opens: [any LayerView.Type] { [MultiMarketSearchView.self] }
  package static var takesOwnKeys: Bool { false }

  private var dialog: LineDialog {
    LineDialog(
      title: context.strings[.everywhereTitle], label: context.strings[.search],
      editor: model.editor, hint: .empty, note: context.strings[.everywhereHint], isError: false,
      frame: frame)
  }

  package var field: FieldLine { dialog.field }
  package func draw(on canvas: inout Canvas) { dialog.draw(on: &canvas) }
}

/// What a market says of itself, in one line.
enum MarketAnswerText {
  static func text(_ glance: MarketSummary, _ strings: Strings) -> SafeText {
    let count: SafeText? =
      switch glance.total {
      case .exactly(let count): strings.counted(.productCount, count)
      case .atLeast(let count): strings.counted(.productCountAtLeast, count)
      case .unknown: nil
      }
    let api = glance.api.map { strings(.marketAPI, $0) }
    let far = glance.elapsed.map { SafeText($0.milliseconds) + " ms" }
    return [count, api, far].compactMap(\.self).joined(separator: " · ")
  }
}

extension Phrase {
  package static var keyMakeMarket: Phrase { .named() }
  package static var keyAskMarket: Phrase { .named() }
  static var marketAddTitle: Phrase { .named() }
  static var marketAddLabel: Phrase { .named() }
  static var marketAddHint: Phrase { .named() }
  static var marketAsking: Phrase { .named() }
  static var marketUnreadable: Phrase { .named() }
  static var marketMissing: Phrase { .named() }
  static var marketInsecure: Phrase { .named() }
  static var marketAskAgain: Phrase { .named() }
  static var marketAnswered: Phrase { .named() }
  static var marketAPI: Phrase { .named() }
  static var marketNameLabel: Phrase { .named() }
  static var marketRenameTitle: Phrase { .named() }
  static var everywhereTitle: Phrase { .named() }
  static var everywhereHint: Phrase { .named() }
}

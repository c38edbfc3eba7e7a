internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension SeveralMenuModel: ViewedLayer {
  package func view(in frame: Frame) -> SeveralMenuView {
    SeveralMenuView(model: self, frame: frame)
  }
}

extension SeveralLineModel: ViewedLayer {
  package func view(in frame: Frame) -> SeveralLineView {
    SeveralLineView(model: self, frame: frame)
  }
}

/// The menu of what can be done with all marked products.
package struct SeveralMenuView: MenuLayerView {
  package let model: SeveralMenuModel
  package let frame: Frame

  package static let bindings = BindingTable<SeveralMenuView>(SharedBindings.menu())
  package static var opens: [any LayerView.Type] { [SeveralLineView.self, PasswordView.self] }

  package func choose(_ index: Int?) {
    let items = SeveralMenuModel.Item.allCases
    guard items.indices.contains(index ?? model.selected) else { return }
    close()
    switch items[index ?? model.selected] {
    case .price: navigator.askForMarked(.price)
    case .stock: navigator.askForMarked(.stock)
    case .deletion: navigator.changeMarked(.deletion)
    }
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package var box: MenuBox {
    let heading = MenuBox.Line.heading(context.strings.counted(.severalTitle, model.count))
    let choices = SeveralMenuModel.Item.allCases.map { item in
      MenuBox.Line.choice(MenuBox.Choice(text: context.strings[item.phrase]))
    }
    return MenuBox(
      lines: [heading] + choices, selected: model.selected, bounds: frame.body, context: context)
  }
}

/// The line in which is typed what becomes of the price or the stock of all marked products.
package struct SeveralLineView: LineView {
  package let model: SeveralLineModel
  package let frame: Frame

  package static let bindings = BindingTable<SeveralLineView>([
    Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.confirm() },
    SharedBindings.cancel(footer: 20) { $0.model.cancel() },
  ])
  package static var opens: [any LayerView.Type] { [PasswordView.self, SeveralView.self] }
  package static var takesOwnKeys: Bool { false }

  private var dialog: LineDialog {
    let isPrice = model.subject == .price
    return LineDialog(
      title: context.strings[isPrice ? .severalPrice : .severalStock],
      label: context.strings[isPrice ? .severalPriceLabel : .fieldStock], editor: model.editor,
      hint: isPrice ? "-10%" : "1",
      note: note, isError: model.problem != nil, frame: frame)
  }

  /// What may be typed, or what is wrong with it where that says more.
  private var note: SafeText {
    guard model.subject == .price else { return context.strings[.severalStockHint] }
    guard let problem = model.problem, problem != .noAmount else {
      return context.strings[.severalPriceHint]
    }
    return ProblemText.text(problem, context.strings)
  }

  package var field: FieldLine { dialog.field }
  package func draw(on canvas: inout Canvas) { dialog.draw(on: &canvas) }
}

extension SeveralMenuModel.Item {
  fileprivate var phrase: Phrase {
    switch self {
    case .price: .severalPrice
    case .stock: .severalStock
    case .deletion: .severalDelete
    }
  }
}

extension Phrase {
  static var severalTitle: Phrase { .named() }
  static var severalPrice: Phrase { .named() }
  static var severalPriceLabel: Phrase { .named() }
  static var severalPriceHint: Phrase { .named() }
  static var severalStock: Phrase { .named() }
  static var severalStockHint: Phrase { .named() }
  static var severalDelete: Phrase { .named() }
}

internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension BulkMenuModel: ViewedLayer {
  package func view(in frame: Frame) -> BulkMenuView {
    BulkMenuView(model: self, frame: frame)
  }
}

extension BulkValueModel: ViewedLayer {
  package func view(in frame: Frame) -> BulkValueView {
    BulkValueView(model: self, frame: frame)
  }
}

/// The menu of what can be done with all marked products.
package struct BulkMenuView: MenuLayerView {
  package let model: BulkMenuModel
  package let frame: Frame

  package static let bindings = BindingTable<BulkMenuView>(SharedBindings.menu())
  package static var opens: [any LayerView.Type] { [BulkValueView.self, PasswordView.self] }

  package func choose(_ index: Int?) {
    let items = BulkMenuModel.Item.allCases
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
    let heading = MenuBox.Line.heading(context.strings.counted(.bulkTitle, model.count))
    let choices = BulkMenuModel.Item.allCases.map { item in
      MenuBox.Line.choice(MenuBox.Choice(text: context.strings[item.phrase]))
    }
    return MenuBox(
      lines: [heading] + choices, selected: model.selected, bounds: frame.body, context: context)
  }
}

/// The line in which is typed what becomes of the price or the stock of all marked products.
package struct BulkValueView: LineView {
  package let model: BulkValueModel
  package let frame: Frame

  package static let bindings = BindingTable<BulkValueView>([
    Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.confirm() },
    SharedBindings.cancel(footer: 20) { $0.model.cancel() },
  ])
  package static var opens: [any LayerView.Type] { [PasswordView.self, BulkEditView.self] }
  package static var takesOwnKeys: Bool { false }

  private var dialog: LineDialog {
    let isPrice = model.subject == .price
    return LineDialog(
      title: context.strings[isPrice ? .bulkPrice : .bulkStock],
      label: context.strings[isPrice ? .bulkPriceLabel : ProductField.stock.phrase],
      editor: model.editor,
      hint: isPrice ? "-10%" : "1",
      note: note, isError: model.problem != nil, frame: frame)
  }

  /// What may be typed, or what is wrong with it where that says more.
  private var note: SafeText {
    guard model.subject == .price else { return context.strings[.bulkStockHint] }
    guard let problem = model.problem, problem != .noAmount else {
      return context.strings[.bulkPriceHint]
    }
    return ProblemText.text(problem, context.strings)
  }

  package var field: FieldLine { dialog.field }
  package func draw(on canvas: inout Canvas) { dialog.draw(on: &canvas) }
}

extension BulkMenuModel.Item {
  fileprivate var phrase: Phrase {
    switch self {
    case .price: .bulkPrice
    case .stock: .bulkStock
    case .deletion: .bulkDelete
    }
  }
}

extension Phrase {
  static var bulkTitle: Phrase { .named() }
  static var bulkPrice: Phrase { .named() }
  static var bulkPriceLabel: Phrase { .named() }
  static var bulkPriceHint: Phrase { .named() }
  static var bulkStock: Phrase { .named() }
  static var bulkStockHint: Phrase { .named() }
  static var bulkDelete: Phrase { .named() }
}

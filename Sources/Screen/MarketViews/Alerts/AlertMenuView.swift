internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension AlertMenuModel: ViewedLayer {
  package func view(in frame: Frame) -> AlertMenuView { AlertMenuView(model: self, frame: frame) }
}

/// Menu of alerts for a subject, with those that are set already.
package struct AlertMenuView: MenuLayerView {
  package let model: AlertMenuModel
  package let frame: Frame

  package static let bindings = BindingTable<AlertMenuView>(SharedBindings.menu())
  package static var opens: [any LayerView.Type] { [PromptView.self, AlertsView.self] }

  /// Columns of a name above the choices, which are short words.
  private static let maxHeadingLength = 40

  package func choose(_ index: Int?) {
    guard model.items.indices.contains(index ?? model.selected) else { return }
    if let index { model.select(index) }
    model.choose()
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package var box: MenuBox {
    let name = SafeText(model.target.name).truncated(toColumns: Self.maxHeadingLength)
    let choices = model.items.flatMap { item -> [MenuBox.Line] in
      let choice = MenuBox.Line.choice(choice(of: item))
      return item == .all ? [.blank, choice] : [choice]
    }
    return MenuBox(
      lines: [.heading(name)] + choices + [.blank, .note(context.strings[.alertNote])],
      selected: model.selected, bounds: frame.body, context: context)
  }

  private func choice(of item: AlertMenuModel.Item) -> MenuBox.Choice {
    let strings = context.strings
    let text: SafeText =
      switch item {
      case .below(let alert):
        alert.map { AlertText.condition($0.condition, strings) }
          ?? strings[model.target.isOneProduct ? .alertBelow : .alertAnyBelow]
      case .backInStock: strings[model.target.isOneProduct ? .alertForStock : .alertForAnyStock]
      case .anythingNew: strings[.alertForNew]
      case .all: strings[.alertAll]
      }
    return MenuBox.Choice(text: text, mark: item == .all ? nil : .several(item.alert != nil))
  }
}

extension SharedBindings {
  /// Menu of alerts for what is shown, and the list of all; `when` says whether there is something
  /// to set one for, `begin` opens the menu.
  static func alerts<V: LayerView>(
    when applies: @escaping (V) -> Bool = { _ in true },
    begin: @escaping (V) -> Void = { $0.navigator.beginAlert() }
  ) -> [Binding<V>] {
    let isSaved = { (view: V) in view.navigator.program.alerts != nil }
    return [
      Binding("add-alert", ["t"], .keyAddAlert, when: { isSaved($0) && applies($0) }) { begin($0) }
        .grouped(.product).needing(.paletteNoProduct),
      Binding(alertsName, ["T"], .keyAlerts, when: isSaved) { AlertsModel.open(on: $0.navigator) }
        .grouped(.browse),
    ]
  }

  /// The command that opens the list of alerts; a click on the mark in the top bar does so.
  static let alertsName = "alerts"
}

extension Phrase {
  static var keyAddAlert: Phrase { .named() }
  static var keyAlerts: Phrase { .named() }
  static var alertBelow: Phrase { .named() }
  static var alertAnyBelow: Phrase { .named() }
  static var alertAll: Phrase { .named() }
  static var alertForStock: Phrase { .named() }
  static var alertForAnyStock: Phrase { .named() }
  static var alertForNew: Phrase { .named() }
  static var alertNote: Phrase { .named() }
}

internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension AlertsModel: ViewedLayer {
  package func view(in frame: Frame) -> AlertsView { AlertsView(model: self, frame: frame) }
}

/// List of alerts that fired, then of alerts that are set, each with its market.
package struct AlertsView: MenuLayerView {
  package let model: AlertsModel
  package let frame: Frame

  package static let bindings = BindingTable<AlertsView>(
    [
      Binding("open", [.enter], .keyOpen, footer: 10, offered: \.hasLines) { $0.choose(nil) },
      Binding(
        "remove-alert", [.delete, "D"], .keyRemoveAlert, footer: 20, isDestructive: true,
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
      title: strings[.alertsTitle],
      lines: lines.isEmpty
        ? [(strings[model.lines == nil ? .loading : .noAlerts], .empty)] : lines.map(line),
      selected: lines.isEmpty ? nil : model.selected, columns: Self.columns, bounds: frame.body,
      context: context)
  }

  /// What it is at the left, and at the right what is told of it, with the market where it is another.
  private func line(_ line: AlertsModel.Line) -> (left: SafeText, right: SafeText) {
    let strings = context.strings
    let market = model.market(of: line)
    let position: [SafeText] =
      market.key == navigator.market ? [] : [market.name ?? strings[.marketLocal]]
    switch line {
    case .triggered(let triggered):
      let facts = [
        AlertText.price(of: triggered, strings), AlertText.condition(triggered.condition, strings),
      ]
      return (
        AlertText.mark(of: triggered) + AlertText.name(of: triggered, strings),
        (facts + position).joined(separator: " · ")
      )
    case .alert(let alert):
      let silence = model.silence(of: .alert(alert)).map { since in
        strings(.alertNoResponse, DateText.recent(since, now: context.now, strings))
      }
      let facts = [AlertText.condition(alert.condition, strings), silence].compactMap(\.self)
      return ("… " + SafeText(alert.name), (facts + position).joined(separator: " · "))
    }
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package func choose(_ index: Int?) {
    if let index { model.move(by: index - model.selected) }
    model.openSelected()
  }
}

extension SharedBindings {
  /// Menu of alerts for what is shown, and the list of all; `when` says whether there is something
  /// to set one for, `begin` opens the menu.
  static func alerts<V: LayerView>(
    when applies: ((V) -> Bool)? = nil,
    begin: @escaping (V) -> Void = { $0.navigator.beginAlert() }
  ) -> [Binding<V>] {
    let isSaved = { (view: V) in view.navigator.program.alerts != nil }
    return [
      Binding("add-alert", ["t"], .keyAddAlert, when: { isSaved($0) && applies?($0) != false }) {
        begin($0)
      }
      .grouped(.product).needing(.paletteNoProduct),
      Binding(alertsName, ["T"], .keyAlerts, when: isSaved) { AlertsModel.open(on: $0.navigator) }
        .grouped(.browse),
    ]
  }

  /// The command that opens the list of alerts; a click on the mark in the top bar does so.
  static let alertsName = "alerts"
}

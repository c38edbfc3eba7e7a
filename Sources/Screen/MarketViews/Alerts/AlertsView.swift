internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension AlertsModel: ViewedLayer {
  package func view(in frame: Frame) -> AlertsView { AlertsView(model: self, frame: frame) }
}

/// List of triggered alerts, then of alerts that are set, each with its market.
package struct AlertsView: FullListView {
  package let model: AlertsModel
  package let frame: Frame

  package static var screenName: Phrase? { .alertsTitle }
  package static let bindings = BindingTable<AlertsView>(
    [
      Binding("open", [.enter], .keyOpen, footer: 10, offered: \.hasItems) { $0.choose() },
      Binding(
        "remove-alert", [.delete, "D"], .keyRemoveAlert, footer: 20, isDestructive: true,
        offered: \.hasItems
      ) { $0.model.removeSelected() },
      Binding("refresh", ["r", .control("r"), .function(5)], .keyRefresh, footer: 40) {
        $0.navigator.refresh()
      },
    ] + SharedBindings.list(back: [.escape, "q", .control("c")], footer: 30))
  package static var opens: [any LayerView.Type] { [DetailView.self] }

  package var title: WindowTitle? {
    let waiting = model.sections.last?.items.count ?? 0
    return WindowTitle(
      context.strings[.alertsTitle], note: context.strings.counted(.alertsCount, waiting))
  }

  package var emptyText: SafeText { context.strings[.noAlerts] }

  package func text(of part: AlertsModel.Part) -> SafeText {
    switch part {
    case .triggered: context.strings[.alertsTriggered]
    case .waiting: context.strings[.alertsWaiting]
    }
  }

  package func words(of line: AlertsModel.Line) -> [SafeText] { facts(of: line).map(\.text) }

  package func choose(_ line: AlertsModel.Line) { model.open(line) }

  package func draw(_ line: AlertsModel.Line, in row: ListRow, on canvas: inout Canvas) {
    let strings = context.strings
    let market = model.market(of: line)
    let place: [SafeText] =
      market.key == navigator.market ? [] : [market.name ?? strings[.marketLocal]]
    let (name, facts): (SafeText, [SafeText?]) =
      switch line {
      case .triggered(let triggered):
        (
          AlertText.mark(of: triggered) + AlertText.name(of: triggered, strings),
          [AlertText.price(of: triggered, strings)]
        )
      case .alert(let alert):
        (
          "  " + SafeText(alert.name),
          [AlertText.condition(alert.condition, strings), silence(of: line)]
        )
      }
    ListLine(
      text: name,
      remark: (facts.compactMap(\.self) + place).filter { !$0.isEmpty }.joined(separator: " · "),
      isNumbered: false
    ).draw(in: row, on: &canvas)
  }

  /// Text that the market of an alert has not responded, with the time; nil where it responds.
  private func silence(of line: AlertsModel.Line) -> SafeText? {
    model.silence(of: line).map { since in
      context.strings(
        .alertNoResponse, DateText.recent(since, now: context.now, context.strings))
    }
  }

  /// Subject and condition of an alert, its market, and whether that responds.
  package func facts(of line: AlertsModel.Line) -> [ListFact] {
    let (strings, theme) = (context.strings, context.theme)
    let market = model.market(of: line).name ?? strings[.marketLocal]
    switch line {
    case .triggered(let triggered):
      return [
        ListFact(
          text: AlertText.more(SafeText(triggered.name), triggered.count, strings),
          style: theme.strong),
        ListFact(text: AlertText.sentence(triggered, strings), style: theme.text),
        ListFact(text: market, style: theme.secondary),
      ]
    case .alert(let alert):
      return [
        ListFact(text: SafeText(alert.name), style: theme.strong),
        ListFact(text: AlertText.condition(alert.condition, strings), style: theme.text),
        ListFact(text: market, style: theme.secondary),
      ] + [silence(of: line)].compactMap(\.self).map { ListFact(text: $0, style: theme.warning) }
    }
  }
}

extension SharedBindings {
  /// Keys for the alert menu of the shown item, where `when` allows an alert and `begin` opens the
  /// menu, and for the list of alerts.
  static func alerts<V: LayerView>(
    when applies: ((V) -> Bool)? = nil,
    begin: @escaping (V) -> Void = { $0.navigator.beginAlert() }
  ) -> [Binding<V>] {
    let isSaved = { (view: V) in view.navigator.program.alerts != nil }
    return [
      Binding(
        "add-alert", ["t"], .keyAddAlert, footer: 78,
        when: { isSaved($0) && applies?($0) != false }
      ) { begin($0) }
      .grouped(.product).needing(.paletteNoProduct),
      Binding(alertsName, ["T"], .keyAlerts, when: isSaved) { AlertsModel.open(on: $0.navigator) }
        .grouped(.browse),
    ]
  }

  /// Name of the command that opens the list of alerts; the alert mark in the top bar runs it.
  static let alertsName = "alerts"
}

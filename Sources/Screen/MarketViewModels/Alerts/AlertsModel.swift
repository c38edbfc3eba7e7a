package import MarketModel

/// List of triggered and set alerts; opening it marks the triggered ones as seen.
package final class AlertsModel: ListModel {
  package nonisolated enum Line: Hashable, Identifiable, Sendable {
    case triggered(TriggeredAlert)
    case alert(Alert)

    package enum ID: Hashable, Sendable {
      case triggered(TriggeredAlert.ID)
      case alert(Alert.ID)
    }

    package var id: ID {
      switch self {
      case .triggered(let triggered): .triggered(triggered.id)
      case .alert(let alert): .alert(alert.id)
      }
    }
  }

  package nonisolated enum Part { case triggered, waiting }

  package let list = SectionedList<Part, Line>()
  /// Triggered alerts first, each section with the latest first.
  @Observed package private(set) var sections: [ListSection<Part, Line>] = [] {
    didSet { list.show(sections) }
  }

  private let engine: AlertScheduler
  private let navigator: Navigator
  private var opening: Task<Void, Never>?

  /// Maximum number of triggered alerts in the list; older ones are left out.
  private static let maxAlerts = 200

  init(_ engine: AlertScheduler, on navigator: Navigator) {
    self.engine = engine
    self.navigator = navigator
    refresh()
  }

  package static func open(on navigator: Navigator) {
    guard let engine = navigator.program.alerts else {
      return navigator.announce(.hint(.nothingSaved))
    }
    navigator.stack.push(AlertsModel(engine, on: navigator))
  }

  package func refresh() {
    Task.immediate {
      let triggeredAlerts = await engine.store.triggeredAlerts(atMost: Self.maxAlerts)
      await engine.reload()
      sections = [
        ListSection(.triggered, triggeredAlerts.map(Line.triggered)),
        ListSection(.waiting, engine.alerts.map(Line.alert)),
      ]
      await engine.didSeeAlerts()
    }
  }

  /// Market of a line.
  package func market(of line: Line) -> KnownMarket {
    switch line {
    case .triggered(let triggered):
      navigator.markets?.known(of: triggered) ?? KnownMarket(of: triggered)
    case .alert(let alert):
      navigator.markets?.all.first { $0.key == alert.market } ?? KnownMarket(of: alert)
    }
  }

  /// Time since which the market of an alert has not answered; nil if it answered, and for triggered
  /// alerts.
  package func silence(of line: Line) -> Timestamp? {
    if case .alert(let alert) = line { engine.silent[alert.market] } else { nil }
  }

  package var holdsKeys: Bool { !list.isRead }

  /// Removes the selected alert or triggered alert.
  package func removeSelected() {
    guard let line = list.selected else { return }
    sections = sections.without(line.id)
    Task.immediate { [engine] in
      switch line {
      case .triggered(let triggered): await engine.store.forget(triggered.id)
      case .alert(let alert): await engine.end(alert)
      }
    }
  }

  package func didClose() { opening?.cancel() }
}

// MARK: Opening

extension AlertsModel {
  /// Shows the subject of a line in its market.
  package func open(_ line: Line) {
    opening = Task.immediate {
      if let shown = await navigator.goTo(market(of: line)) { show(line, on: shown) }
    }
  }

  private func show(_ line: Line, on shown: Navigator) {
    switch line {
    case .triggered(let triggered):
      if case .asked = triggered.event, triggered.count > 1 {
        navigator.stack.close(self)
        if !shown.showsMine { shown.toggleMyProducts() }
        return
      }
      let alert = engine.alerts.first {
        ($0.market, $0.name) == (triggered.market, triggered.alertName)
          && .alert($0.condition) == triggered.event
      }
      // For several products the list is shown, if the alert is still set.
      if triggered.count > 1, let alert {
        show(.alert(alert), on: shown)
      } else {
        open(triggered.product, on: shown)
      }
    case .alert(let alert):
      switch alert.subject {
      case .product(let id): open(id, on: shown)
      case .seller(let id):
        navigator.stack.close(self)
        shown.browser.show(ProductQuery(sellers: [id]))
      case .search(let text):
        navigator.stack.close(self)
        shown.follow(SearchRequest(reading: text))
      }
    }
  }

  private func open(_ id: Product.ID, on shown: Navigator) {
    opening?.cancel()
    opening = Task.immediate {
      await shown.open(id) { navigator.stack.close(self) }
    }
  }
}

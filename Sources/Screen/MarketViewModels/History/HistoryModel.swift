package import MarketModel

/// List of the viewed products of all markets, by day.
package final class HistoryModel: ListModel {
  package nonisolated enum Day: Hashable, CaseIterable, Sendable { case today, yesterday, earlier }

  package let list = SectionedList<Day, ViewedProduct>()
  /// Latest first.
  @Observed package private(set) var sections: [ListSection<Day, ViewedProduct>] = []

  private let store: any PersonalDataStore
  private var location: LayerLocation
  private var opening: Task<Void, Never>?

  private init(_ store: any PersonalDataStore, on navigator: Navigator) {
    self.store = store
    location = LayerLocation(on: navigator)
    refresh()
  }

  package static func open(on navigator: Navigator) {
    guard let store = navigator.program.personal else { return }
    navigator.stack.push(HistoryModel(store, on: navigator))
  }

  package func refresh() {
    Task.immediate {
      let products = await store.viewedProducts()
      let today = TimeZone.local.day(of: navigator.now())
      let days = Dictionary(grouping: products) { product -> Day in
        switch TimeZone.local.day(of: product.viewed) {
        case today...: .today
        case today - 1: .yesterday
        default: .earlier
        }
      }
      sections = Day.allCases.map { ListSection($0, days[$0] ?? []) }
      list.show(sections)
    }
  }

  package var holdsKeys: Bool { !list.isRead }

  /// Navigator of the market over which the list lies.
  private var navigator: Navigator { location.navigator }

  // MARK: Commands

  /// Removes the selected product from the history.
  package func removeSelected() {
    guard let product = list.selected else { return }
    sections = sections.without(product.id)
    Task.immediate { [store] in
      await store.forgetViewed(product.product, in: product.market.key)
    }
  }

  /// Opens a product in its market; the list moves there.
  package func open(_ product: ViewedProduct) {
    opening?.cancel()
    opening = Task.immediate {
      guard let shown = await go(to: product.market) else { return }
      location.move(self, to: shown)
      await shown.open(product.product)
    }
  }

  /// Shows a market; nil if it cannot be opened, which is announced.
  private func go(to market: FavoriteMarket) async -> Navigator? {
    guard market.key != navigator.market else { return navigator }
    guard let known = navigator.markets?.known(market) else {
      navigator.announce(.hint(.noSuchMarket))
      return nil
    }
    return await navigator.goTo(known)
  }

  /// Closes the list and shows the market in which it was opened.
  package func leave() { location.close(self) }

  package func didClose() { opening?.cancel() }
}

extension Navigator {
  /// Records the open product in the history and reads its questions; called after a frame.
  package func didShowDetail() {
    if browser.capabilities?.hasQuestions == true, case .loaded(let detail) = browser.detail.phase {
      browser.detail.questions.read(
        about: detail.product.id, count: detail.questionCount, by: selling?.account.identifier)
    }
    guard let store = program.personal, let product = browser.detail.takeUnnoted() else { return }
    let market = favoriteMarket
    Task { await store.didView(product, of: market) }
  }
}

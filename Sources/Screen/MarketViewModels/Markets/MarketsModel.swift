package import MarketModel
package import SafeTextKit

/// List of the known markets with the state of each, and of actions.
///
/// All markets are asked at the same time when the list opens; requests that are still running when
/// it closes are cancelled.
package final class MarketsModel: ListModel {
  /// State of one market's row.
  package nonisolated enum State: Hashable, Sendable {
    case asking
    /// `new` counts the products since the last visit; nil if there was none.
    case answered(MarketSummary, new: NewCount?)
    case failed(RepositoryError)
    /// The user chose the market, and it is being opened.
    case opening
  }

  package nonisolated struct Row: Hashable, Sendable {
    package let market: KnownMarket
    package fileprivate(set) var state: State

    /// Title of the market; nil for the local one.
    package var title: SafeText? {
      guard case .answered(let summary, _) = state else { return market.name }
      return market.title(saying: summary.marketName)
    }
  }

  /// Actions below the markets.
  package nonisolated enum MenuAction: CaseIterable, Hashable, Sendable {
    case add, everywhere, serve
  }

  package nonisolated enum Item: Hashable, Identifiable, Sendable {
    case market(Row)
    case action(MenuAction)

    package enum ID: Hashable, Sendable {
      case market(MarketKey)
      case action(MenuAction)
    }

    package var id: ID {
      switch self {
      case .market(let row): .market(row.market.key)
      case .action(let action): .action(action)
      }
    }
  }

  package let list = SectionedList<Never, Item>(hasGaps: true)
  @Observed package private(set) var rows: [Row] = [] {
    didSet { list.show(sections) }
  }

  package var sections: [ListSection<Never, Item>] {
    [
      ListSection(rows.map(Item.market)),
      ListSection(MenuAction.allCases.map(Item.action)),
    ]
  }

  let markets: Markets
  let navigator: Navigator
  let clock: any Clock<Duration>
  private var tasks: [MarketKey: Task<Void, Never>] = [:]
  /// The market that the user chose last; nil if none is being opened.
  private var chosen: MarketKey?

  /// Maximum time for a market's answer; after it the row shows `.unreachable(.timedOut)`.
  static let timeout = Duration.seconds(10)

  init(_ markets: Markets, on navigator: Navigator) {
    self.markets = markets
    self.navigator = navigator
    clock = navigator.clock
    readRows()
    list.select(.market(navigator.market))
    askAll()
  }

  /// Market that is shown behind the list.
  package var shown: MarketKey { navigator.market }

  /// The selected market; nil if an action is selected.
  package var market: KnownMarket? {
    if case .market(let row) = list.selected { row.market } else { nil }
  }

  package var hasPrevious: Bool { markets.previous != nil }

  // MARK: Choosing

  /// Opens a market or runs an action.
  package func choose(_ item: Item) {
    switch item {
    case .market(let row): go(to: row.market)
    case .action(.add): add()
    case .action(.everywhere): searchEverywhere()
    case .action(.serve): serve()
    }
  }

  private func go(to market: KnownMarket) {
    guard market.key != shown else { return navigator.stack.close(self) }
    chosen = market.key
    set(.opening, of: market.key)
    Task.immediate {
      let outcome = await markets.show(market)
      guard chosen == market.key else { return }
      switch outcome {
      case .success: navigator.stack.close(self)
      case .failure(let error): set(.failed(error), of: market.key)
      case nil: return
      }
      chosen = nil
    }
  }

  /// Shows the market that was shown before.
  package func showPrevious() {
    guard hasPrevious else { return navigator.announce(.hint(.noOtherMarket)) }
    navigator.stack.close(self)
    markets.showPrevious()
  }

  // MARK: Changing

  /// Asks for the search terms and searches all markets.
  package func searchEverywhere() {
    navigator.stack.startFlow { [self] flow in
      let prompt = PromptModel(.everywhere, navigator.searching.request.termsText)
      guard let text = await flow.present(prompt) else { return }
      navigator.stack.close(self)
      navigator.searchEverywhere(SearchRequest(reading: text))
    }
  }

  package func forget() {
    guard let market, market.isRemembered else { return }
    change { await $0.forget(market) }
  }

  package func openAtStart() {
    guard let market, mayOpenAtStart else { return }
    change { await $0.openAtStart(market) }
  }

  package var mayOpenAtStart: Bool {
    market.map { !$0.opensAtStart && ($0.isRemembered || $0.location == .local) } ?? false
  }

  /// Market that would be served: the selected one, else the shown one.
  private var served: KnownMarket { market ?? markets.shown }

  package var mayServe: Bool { !served.location.isServer }

  package func serve() {
    guard let command = markets.directory?.serveCommand(for: served) else {
      return navigator.announce(.hint(.servedAlready))
    }
    // It replaces the list, for two dialogs over each other are too many.
    navigator.stack.close(self)
    navigator.stack.push(MarketServeModel(command: command, markets, on: navigator))
  }

  private func change(
    _ body: @escaping @MainActor (any MarketDirectory) async -> DirectoryAnswer
  ) {
    guard let directory = markets.directory else { return }
    Task.immediate {
      navigator.announce(await body(directory))
      readRows()
    }
  }

  // MARK: Asking

  package func refresh() {
    markets.directory?.refresh()
    readRows()
    for row in rows { set(.asking, of: row.market.key) }
    askAll()
  }

  package func didClose() {
    for task in tasks.values { task.cancel() }
    tasks = [:]
    if chosen != nil { markets.cancelOpening() }
  }

  /// Updates the rows from `markets`; known states stay.
  private func readRows() {
    let old = rows
    rows = markets.all.map { market in
      Row(
        market: market,
        state: old.first { $0.market.key == market.key }?.state ?? .asking)
    }
  }

  private func askAll() {
    for row in rows { ask(row.market) }
  }

  private func ask(_ market: KnownMarket) {
    guard let probe = markets.probe else { return }
    let personal = markets.program.personal
    tasks[market.key]?.cancel()
    tasks[market.key] = Task.immediate { [weak self, clock] in
      async let visit = personal?.lastVisit(to: market.key)
      let glance = await MarketTimeout.wait(Self.timeout, on: clock) { () throws(RepositoryError) in
        try await probe.glance(at: market)
      }
      let newest = await visit?.newest
      guard !Task.isCancelled else { return }
      switch glance {
      case .success(let glance):
        self?.set(.answered(glance, new: glance.newCount(since: newest)), of: market.key)
      case .failure(let error): self?.set(.failed(error), of: market.key)
      }
    }
  }

  private func set(_ state: State, of key: MarketKey) {
    guard let index = rows.firstIndex(where: { $0.market.key == key }) else { return }
    // An answer does not replace the state of a market that is being opened.
    if chosen == key, case .answered = state { return }
    rows[index].state = state
  }
}

extension MarketsModel {
  /// Opens the list if other markets can be opened.
  package static func open(on navigator: Navigator) {
    guard let markets = navigator.markets, markets.areMany else { return }
    navigator.stack.push(MarketsModel(markets, on: navigator))
  }
}

extension Navigator {
  /// Announces the result of a change of the directory.
  func announce(_ answer: DirectoryAnswer) {
    announce(.words(answer.isDone ? answer.sentence : "✗ " + answer.sentence))
  }
}

/// Timeout of a request to a market.
package enum MarketTimeout {
  /// Runs `question` for at most `limit`.
  /// - Returns: its outcome; `.unreachable(.timedOut)` after the limit, `.cancelled` if the waiting
  ///   task is cancelled; both cancel `question`.
  package static func wait<Value: Sendable>(
    _ limit: Duration, on clock: any Clock<Duration>,
    for question: @escaping @MainActor () async throws(RepositoryError) -> Value
  ) async -> Result<Value, RepositoryError> {
    let (ends, end) = AsyncStream.makeStream(of: Result<Value, RepositoryError>.self)
    let asking = Task.immediate {
      do throws(RepositoryError) {
        end.yield(.success(try await question()))
      } catch {
        end.yield(.failure(error))
      }
    }
    let waiting = Task.immediate {
      try? await clock.sleep(for: limit)
      if !Task.isCancelled { end.yield(.failure(.unreachable(.timedOut))) }
    }
    defer {
      asking.cancel()
      waiting.cancel()
    }
    for await outcome in ends { return outcome }
    return .failure(.cancelled)
  }
}

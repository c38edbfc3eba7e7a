package import MarketModel
internal import SafeTextKit

/// The open markets, one of which is shown.
///
/// A market that is not shown keeps its position, query, forms and drafts. Over six, the one that was
/// left longest ago is closed; its query and row are restored when it is opened again.
package final class Markets {
  /// The market that is drawn and gets the keys.
  @Observed package private(set) var current: Navigator
  /// All open markets, in the order in which they were shown; the current one is the last.
  package private(set) var open: [Navigator]

  /// The remembered markets; nil for a run without settings.
  package var directory: (any MarketDirectory)?
  package var probe: (any MarketProbe)?
  /// Opens further markets; nil for a run with one market.
  package weak var opener: (any MarketOpener)?
  /// Saves the position for the next run; nil for a run that saves none.
  package var saver: SessionStateSaver?

  package let program: ProgramState
  let visits: VisitRecorder
  /// Unanswered questions of all known markets.
  package let unanswered = UnansweredQuestions()
  /// Markets that were opened in this run, including those that are not remembered.
  private var known: [KnownMarket]
  /// Positions in markets that were closed in this run.
  private var left: [MarketKey: NavigationState] = [:]
  /// Last shown pictures in markets that are not open.
  private var turned: [MarketKey: [ShownPicture]] = [:]
  private var opening: Task<Result<Navigator, RepositoryError>, Never>?

  /// Maximum number of open markets; beyond it `closeOldest()` closes one.
  private static let maxOpen = 6

  package init(_ first: Navigator, of market: KnownMarket? = nil) {
    current = first
    open = [first]
    program = first.program
    visits = VisitRecorder(in: first.program.personalData, clock: first.clock)
    known = [market ?? KnownMarket(key: first.market, name: first.marketName, location: .local)]
    first.markets = self
  }

  /// Whether other markets can be opened.
  package var areMany: Bool { opener != nil }

  package var shown: KnownMarket {
    all.first { $0.key == current.market }
      ?? KnownMarket(key: current.market, name: current.marketName, location: .local)
  }

  /// The local market, the remembered ones, and those opened in this run.
  package var all: [KnownMarket] {
    let remembered = directory?.markets ?? []
    return remembered + known.filter { market in !remembered.contains { $0.key == market.key } }
  }

  /// Names of all markets that have one.
  var names: [String] { all.compactMap { $0.name?.string } }

  /// The market that opens at start: the local one unless the settings name another.
  package var home: KnownMarket? {
    all.first(where: \.opensAtStart) ?? all.first { $0.location == .local }
  }

  /// Market with a name, compared by `String.folded`; nil if there is none.
  package func market(named name: String) -> KnownMarket? {
    all.first { $0.name?.string.folded == name.folded }
  }

  /// Clears the cached passwords of all open markets.
  package func forgetPasswords() {
    for navigator in open { navigator.selling?.passwordCache.forget() }
  }

  func navigator(of key: MarketKey) -> Navigator? { open.first { $0.market == key } }

  // MARK: Going there

  /// Shows a market at its last position; opens it first if necessary.
  ///
  /// With `namingSeller` false, a newly opened market is sent no seller identifier.
  ///
  /// - Returns: its navigator, or the error; nil if another market was requested meanwhile.
  @discardableResult package func show(
    _ market: KnownMarket, namingSeller: Bool = true
  ) async -> Result<Navigator, RepositoryError>? {
    opening?.cancel()
    if let navigator = navigator(of: market.key) {
      bring(navigator)
      return .success(navigator)
    }
    guard let opener else { return nil }
    let opening = Task.immediate { () -> Result<Navigator, RepositoryError> in
      do throws(RepositoryError) {
        return .success(try await opener.open(market))
      } catch {
        return .failure(error)
      }
    }
    self.opening = opening
    let outcome = await opening.value
    switch outcome {
    case .success(let navigator):
      guard !opening.isCancelled else {
        opener.close(navigator)
        return nil
      }
      add(navigator, of: market, namingSeller: namingSeller)
    case .failure: if opening.isCancelled { return nil }
    }
    return outcome
  }

  /// Cancels the opening of a market.
  func cancelOpening() { opening?.cancel() }

  /// Market that was shown before the current one; nil if there is none.
  package var previous: Navigator? { open.dropLast().last }

  /// Shows the market that was shown before the current one.
  package func showPrevious() {
    if let previous { bring(previous) } else { current.announce(.hint(.noOtherMarket)) }
  }

  private func add(_ navigator: Navigator, of market: KnownMarket, namingSeller: Bool) {
    navigator.markets = self
    known.removeAll { $0.key == market.key }
    known.append(market)
    open.insert(navigator, at: open.endIndex - 1)
    navigator.browser.detail.remember(turned[navigator.market] ?? [])
    navigator.start(at: left.removeValue(forKey: market.key), namingSeller: namingSeller)
    bring(navigator)
    closeOldest()
  }

  func bring(_ navigator: Navigator) {
    guard navigator !== current else { return }
    current.didHide()
    open.removeAll { $0 === navigator }
    open.append(navigator)
    current = navigator
    navigator.didAppear()
  }

  /// Closes the market that was left longest ago while more than six are open; one with a running flow
  /// stays.
  private func closeOldest() {
    while open.count > Self.maxOpen,
      let oldest = open.first(where: { $0 !== current && $0.selling?.isBusy != true })
    {
      open.removeAll { $0 === oldest }
      left[oldest.market] = oldest.navigationState
      turned[oldest.market] = oldest.browser.detail.turnedPictures
      visits.didLeave(oldest.market)
      oldest.close()
      opener?.close(oldest)
    }
  }
}

// MARK: Pictures

extension Markets {
  /// Sets the last shown pictures of earlier runs; called before anything starts.
  package func remember(_ turned: [MarketKey: [ShownPicture]]) {
    self.turned = turned
    current.browser.detail.remember(turned[current.market] ?? [])
  }

  /// Last shown pictures of all markets.
  var turnedPictures: [MarketKey: [ShownPicture]] {
    var all = turned
    for navigator in open { all[navigator.market] = navigator.browser.detail.turnedPictures }
    return all.filter { !$0.value.isEmpty }
  }
}

// MARK: Visits

extension Markets {
  /// Records a visit to the shown market and schedules a save of the position; called for each input
  /// before its command.
  package func didReceiveInput() {
    let navigator = current
    if let note = visits.dueNote(of: navigator.market, newest: navigator.browser.newest) {
      Task { [weak navigator, visits] in
        await visits.store(note)
        if !note.isFirst { navigator?.browser.seenTracker.didNoteVisit() }
      }
    }
    saver?.schedule(in: self)
  }

  /// Saves the position and ends all visits; called at the end of the run.
  package func end() async {
    opening?.cancel()
    await saver?.finish(at: state)
    await visits.end(newest: { [open] key in
      open.first { $0.market == key }?.browser.newest
    })
  }
}

// MARK: Names

extension Markets {
  /// Market of a favorite; nil if its location is unknown.
  func known(_ market: FavoriteMarket) -> KnownMarket? {
    if let known = all.first(where: { $0.key == market.key }) { return known }
    guard let location = market.location else { return nil }
    return KnownMarket(
      key: market.key, name: market.name.map { SafeText($0) },
      location: location.hasPrefix("/") ? .file(location) : .server(address: location))
  }

  func didRemember(_ market: KnownMarket) {
    known = known.map { known in
      known.key != market.key
        ? known
        : KnownMarket(key: known.key, name: market.name, location: known.location)
    }
  }
}

extension BrowserModel {
  /// Newest product among those of the first page; nil if none is loaded.
  fileprivate var newest: Product.ID? { feed.head.prefix(feed.pageSize).lazy.map(\.id).max() }
}

package import MarketModel
internal import SafeTextKit

/// The markets that are open in this run, and which of them is shown.
///
/// Each keeps its place, its query and what a seller has begun there while another one is shown. The
/// one that was left longest ago closes where there are many; its query and its row come back with it.
package final class Markets {
  /// The screens that are drawn and have the keys.
  @Observed package private(set) var current: Navigator
  /// All that are open, the one that is shown at the end.
  package private(set) var open: [Navigator]

  /// What a person has named; nil where nothing is.
  package var directory: (any MarketDirectory)?
  package var probe: (any MarketProbe)?
  /// Opens further markets; nil where there is this one alone.
  package weak var opener: (any MarketOpener)?
  /// Keeps the place for the next run; nil where nothing does.
  package var saver: SessionStateSaver?

  /// What all of them share.
  package let program: ProgramState
  let visits: VisitRecorder
  /// What waits for an answer in all that are known.
  package let unanswered = UnansweredQuestions()
  /// What was opened in this run, also where nothing remembers it.
  private var known: [KnownMarket]
  /// Where those were that have closed.
  private var left: [MarketKey: NavigationState] = [:]
  /// Which pictures were shown last in earlier runs.
  private var turned: [MarketKey: [ShownPicture]] = [:]
  private var opening: Task<Result<Navigator, RepositoryError>, Never>?

  private static let maxOpen = 6

  package init(_ first: Navigator, of market: KnownMarket? = nil) {
    current = first
    open = [first]
    program = first.program
    visits = VisitRecorder(in: first.program.personalData, clock: first.clock)
    known = [market ?? KnownMarket(key: first.market, name: first.marketName, location: .local)]
    first.markets = self
  }

  /// Whether one can go to other markets.
  package var areMany: Bool { opener != nil }

  /// The market that is shown.
  package var shown: KnownMarket {
    all.first { $0.key == current.market }
      ?? KnownMarket(key: current.market, name: current.marketName, location: .local)
  }

  /// The local market, those that are remembered, and those that this run has opened.
  package var all: [KnownMarket] {
    let remembered = directory?.markets ?? []
    return remembered + known.filter { market in !remembered.contains { $0.key == market.key } }
  }

  /// The names of all that have one.
  var names: [String] { all.compactMap { $0.name?.string } }

  /// The market that opens at start: the local one unless another is set.
  package var home: KnownMarket? {
    all.first(where: \.opensAtStart) ?? all.first { $0.location == .local }
  }

  /// The market of a name, as searches compare names; nil where none has it.
  package func market(named name: String) -> KnownMarket? {
    all.first { $0.name?.string.folded == name.folded }
  }

  /// Wipes the passwords that are kept on all markets.
  package func forgetPasswords() {
    for navigator in open { navigator.selling?.passwordCache.forget() }
  }

  func navigator(of key: MarketKey) -> Navigator? { open.first { $0.market == key } }

  // MARK: Going there

  /// Shows a market with what it showed last; one that is not open yet is opened first.
  ///
  /// One that is opened learns who sells here only where the seller may be named.
  ///
  /// - Returns: its screens, or why there are none; nil where another market was asked for meanwhile.
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

  /// Leaves off opening a market that takes its time.
  func cancelOpening() { opening?.cancel() }

  /// The market that was shown before this one; nil where there is none.
  package var previous: Navigator? { open.dropLast().last }

  /// Goes back to the market that was shown before this one.
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

  /// Closes what was left longest ago and holds nothing that a seller has begun.
  private func closeOldest() {
    while open.count > Self.maxOpen,
      let oldest = open.first(where: { $0 !== current && $0.selling?.isBusy != true })
    {
      open.removeAll { $0 === oldest }
      left[oldest.market] = oldest.navigationState
      visits.didLeave(oldest.market)
      oldest.close()
      opener?.close(oldest)
    }
  }
}

// MARK: Pictures

extension Markets {
  /// Takes up which pictures were shown last in earlier runs; called before anything starts.
  package func remember(_ turned: [MarketKey: [ShownPicture]]) {
    self.turned = turned
    current.browser.detail.remember(turned[current.market] ?? [])
  }

  /// Which pictures of products of all markets but the shown one were shown last.
  var turnedElsewhere: [MarketKey: [ShownPicture]] {
    var all = turned
    for (market, location) in left { all[market] = location.pictures }
    for navigator in open { all[navigator.market] = navigator.browser.detail.turnedPictures }
    all[current.market] = nil
    return all.filter { !$0.value.isEmpty }
  }
}

// MARK: Visits

extension Markets {
  /// A key was read: somebody is there.
  func didPressKey(in navigator: Navigator) {
    if let note = visits.note(of: navigator.market, newest: navigator.browser.newest) {
      Task { [weak navigator, visits] in
        await visits.tell(note)
        if !note.isFirst { navigator?.browser.seenTracker.didNoteVisit() }
      }
    }
    saver?.didPressKey(in: self)
  }

  /// The run is over: nobody looks at any of them any more.
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
  /// The market of something that is kept; nil where nobody knows where it is.
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
  /// The newest product among the first ones that are loaded; nil where there are none.
  fileprivate var newest: Product.ID? { feed.head.prefix(feed.pageSize).lazy.map(\.id).max() }
}

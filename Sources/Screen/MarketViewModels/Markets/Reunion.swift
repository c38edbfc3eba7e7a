internal import MarketModel
internal import SafeText

/// Meeting with a market that a person may know from another address, by the id that it gave itself.
///
/// It asks nobody but the private file, and the market at its former place, which says whether it is
/// still there: whatever a server says its id is, one question comes of it, and nothing is sent to that
/// server because of it.
final class Reunion {
  private enum Phase {
    /// The market has not answered yet.
    case waiting
    case meeting
    /// The market is known from there, which is asked about once nothing lies over the products.
    case known(KeptMarket)
    /// There is nothing to ask in this run.
    case over
  }

  weak var navigator: Navigator?
  private let identity: (any IdentifiedMarket)?
  private var phase = Phase.waiting

  init(with identity: (any IdentifiedMarket)?) {
    self.identity = identity
  }

  /// Products of the market are on the screen, as it answered them just now.
  func didShow(_ products: [Product]) {
    switch phase {
    case .waiting: if !products.isEmpty { begin() }
    case .known(let former): askIfFree(about: former)
    case .meeting, .over: break
    }
  }

  private func begin() {
    guard let identity, let navigator, let book = navigator.program.personal else { return }
    phase = .meeting
    Task { [weak self, market = navigator.market] in
      let id = try? await identity.marketID()
      var former: KeptMarket?
      if let id { former = await book.didMeet(id, at: market) }
      await self?.didMeet(former, as: id)
    }
  }

  private func didMeet(_ former: KeptMarket?, as id: MarketID?) async {
    guard let former, let id, await !isStillThere(former, as: id) else {
      phase = .over
      return
    }
    phase = .known(former)
    askIfFree(about: former)
  }

  /// Whether the market is where it was: what was met is a copy of it then, or only says its id.
  private func isStillThere(_ former: KeptMarket, as id: MarketID) async -> Bool {
    guard let markets = navigator?.markets, let probe = markets.probe,
      let known = markets.known(former)
    else { return false }
    return await probe.isThere(known, as: id)
  }

  // MARK: Asking

  private func askIfFree(about former: KeptMarket) {
    guard let navigator, !navigator.stack.isCovered,
      navigator.markets.map({ $0.current === navigator }) ?? true
    else { return }
    phase = .over
    let name = navigator.markets?.known(former)?.name ?? former.name.map { SafeText($0) }
    var question: QuestionModel?
    let asked = QuestionModel(.reunion(former: name)) { [weak self] answer in
      if let question { self?.navigator?.stack.close(question) }
      question = nil
      self?.didAnswer(answer, about: former)
    }
    question = asked
    navigator.stack.push(asked)
  }

  private func didAnswer(_ answer: QuestionModel.Answer, about former: KeptMarket) {
    guard let navigator, let book = navigator.program.personal else { return }
    switch answer {
    case .yes: move(from: former.key, to: navigator.keptMarket, in: book)
    case .no: Task { [market = navigator.market] in await book.decline(at: market) }
    // The next run may ask again.
    case .none: break
    }
  }

  private func move(from old: MarketKey, to market: KeptMarket, in book: any PersonalBook) {
    Task { [weak self] in
      let isMoved = await book.move(from: old, to: market)
      guard let navigator = self?.navigator else { return }
      navigator.announce(.hint(isMoved ? .keptMoved : .keptNotMoved))
      guard isMoved else { return }
      navigator.program.keeping.reload()
      navigator.browser.sightings.restart()
      await navigator.program.waits?.reload()
    }
  }
}

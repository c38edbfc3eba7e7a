internal import MarketModel
internal import SafeTextKit

/// Meeting with a market that a person may know from another address, by the id that it gave itself.
///
/// It asks nobody but the private file, and the market at its former place, which says whether it is
/// still there: whatever a server says its id is, one question comes of it, and nothing is sent to that
/// server because of it.
final class MarketRelocation {
  private enum Phase {
    /// The market has not answered yet.
    case waiting
    case meeting
    /// There is something to ask about once nothing lies over the products.
    case known(Subject)
    /// There is nothing to ask in this run.
    case over
  }

  private enum Subject {
    /// The market is known from there.
    case moved(from: FavoriteMarket)
    /// An earlier version took it and others for one.
    case shared(LegacySharedData)
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
    case .known(let subject): askIfFree(about: subject)
    case .meeting, .over: break
    }
  }

  private func begin() {
    guard let navigator, let store = navigator.program.personal else { return }
    phase = .meeting
    Task { [weak self, market = navigator.market, probe = navigator.markets?.probe] in
      if let shared = await store.legacySharedData(of: market) {
        self?.phase = .known(.shared(shared))
        self?.askIfFree(about: .shared(shared))
        return
      }
      await probe?.takeDrafts(of: market)
      let id = try? await self?.identity?.marketID()
      var former: FavoriteMarket?
      if let id { former = await store.didIdentify(id, at: market) }
      await self?.didIdentify(former, as: id)
    }
  }

  private func didIdentify(_ former: FavoriteMarket?, as id: MarketID?) async {
    guard let former, let id, await !isStillThere(former, as: id) else {
      phase = .over
      return
    }
    phase = .known(.moved(from: former))
    askIfFree(about: .moved(from: former))
  }

  /// Whether the market is where it was: what was met is a copy of it then, or only says its id.
  private func isStillThere(_ former: FavoriteMarket, as id: MarketID) async -> Bool {
    guard let markets = navigator?.markets, let probe = markets.probe,
      let known = markets.known(former)
    else { return false }
    return await probe.isThere(known, as: id)
  }

  // MARK: Asking

  private func askIfFree(about subject: Subject) {
    guard let navigator, !navigator.stack.isCovered,
      navigator.markets.map({ $0.current === navigator }) ?? true
    else { return }
    phase = .over
    var question: QuestionModel?
    let asked = QuestionModel(text(of: subject)) { [weak self] answer in
      if let question { self?.navigator?.stack.close(question) }
      question = nil
      switch subject {
      case .moved(let former): self?.didAnswer(answer, about: former)
      case .shared(let past): self?.didAnswer(answer, about: past)
      }
    }
    question = asked
    navigator.stack.push(asked)
  }

  private func text(of subject: Subject) -> QuestionModel.Subject {
    switch subject {
    case .moved(let former):
      .relocation(
        former: navigator?.markets?.known(former)?.name ?? former.name.map { SafeText($0) })
    case .shared(let past):
      .legacySharedData(other: other(of: past).name.map { SafeText($0) } ?? SafeText(""))
    }
  }

  /// The other market of a shared past, as what is kept of it names it.
  private func other(of past: LegacySharedData) -> FavoriteMarket {
    let key = past.others.first ?? past.former
    let known = navigator?.markets?.all.first { $0.key == key }
    let location = known?.location.text ?? key.location
    return FavoriteMarket(key: key, name: known?.name?.string ?? location, location: location)
  }

  private func didAnswer(_ answer: QuestionModel.Answer, about past: LegacySharedData) {
    guard let navigator, let store = navigator.program.personal else { return }
    switch answer {
    case .yes: move(from: past.former, to: navigator.favoriteMarket, in: store)
    case .no: move(from: past.former, to: other(of: past), in: store)
    // The next run may ask again.
    case .none: break
    }
  }

  private func didAnswer(_ answer: QuestionModel.Answer, about former: FavoriteMarket) {
    guard let navigator, let store = navigator.program.personal else { return }
    switch answer {
    case .yes: move(from: former.key, to: navigator.favoriteMarket, in: store)
    case .no: Task { [market = navigator.market] in await store.decline(at: market) }
    // The next run may ask again.
    case .none: break
    }
  }

  private func move(from old: MarketKey, to market: FavoriteMarket, in store: any PersonalDataStore)
  {
    Task { [weak self] in
      let isMoved = await store.move(from: old, to: market)
      guard let navigator = self?.navigator else { return }
      if isMoved, old.isFormer {
        await navigator.markets?.probe?.moveDrafts(of: old, to: market.key)
      }
      navigator.announce(.hint(isMoved ? .favoritesMoved : .favoritesNotMoved))
      guard isMoved else { return }
      navigator.program.favorites.reload()
      navigator.browser.seenTracker.restart()
      await navigator.program.alerts?.reload()
    }
  }
}

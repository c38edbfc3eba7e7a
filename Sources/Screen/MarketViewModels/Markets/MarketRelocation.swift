internal import MarketModel
internal import SafeTextKit

/// Recognition of a market at a new address, by the id that it generated for itself.
///
/// It asks the private file, and the market at its former location whether that is still there. A
/// server may claim any id: the effect is at most one question, and nothing is sent to that server
/// because of it.
final class MarketRelocation {
  private enum Phase {
    /// The market has not answered yet.
    case waiting
    case meeting
    /// The question waits until no layer lies over the products.
    case known(Subject)
    /// No question in this run, or no further one.
    case over
  }

  private enum Subject {
    /// The market was known at this location.
    case moved(from: FavoriteMarket)
    /// An earlier version saved the data of this market and of others under one key.
    case shared(LegacySharedData)
  }

  private let identity: (any IdentifiedMarket)?
  private var phase = Phase.waiting

  init(with identity: (any IdentifiedMarket)?) {
    self.identity = identity
  }

  /// Begins recognition when the market's products are first shown, and asks when the screen is free.
  func didShow(_ products: @autoclosure () -> [Product], on navigator: Navigator) {
    switch phase {
    case .waiting: if !products().isEmpty { begin(on: navigator) }
    case .known(let subject): askIfFree(about: subject, on: navigator)
    case .meeting, .over: break
    }
  }

  private func begin(on navigator: Navigator) {
    guard let store = navigator.program.personal else { return }
    phase = .meeting
    Task {
      guard let subject = await subject(on: navigator, of: store) else {
        phase = .over
        return
      }
      phase = .known(subject)
      askIfFree(about: subject, on: navigator)
    }
  }

  /// Finds the question to ask; nil if there is none.
  private func subject(
    on navigator: Navigator, of store: any PersonalDataStore
  ) async -> Subject? {
    let (market, probe) = (navigator.market, navigator.markets?.probe)
    if let shared = await store.legacySharedData(of: market) { return .shared(shared) }
    await probe?.takeDrafts(of: market)
    guard let id = try? await identity?.marketID(),
      let former = await store.didIdentify(id, at: market)
    else { return nil }
    // If the former market is still there, this one is a copy, or only claims the id.
    if let known = navigator.markets?.known(former), await probe?.isThere(known, as: id) == true {
      return nil
    }
    return .moved(from: former)
  }

  // MARK: Asking

  private func askIfFree(about subject: Subject, on navigator: Navigator) {
    guard !navigator.stack.isCovered,
      navigator.markets.map({ $0.current === navigator }) ?? true,
      let store = navigator.program.personal
    else { return }
    phase = .over
    navigator.stack.begin { flow in
      switch subject {
      case .moved(let former):
        let name = navigator.markets?.known(former)?.name ?? former.name.map { SafeText($0) }
        switch await flow.present(ConfirmationModel(.relocation(former: name))) {
        case true?: Self.move(from: former.key, to: navigator.favoriteMarket, in: store, navigator)
        case false?: Task { await store.decline(at: navigator.market) }
        // The next run may ask again.
        case nil: break
        }
      case .shared(let past):
        let other = Self.other(of: past, on: navigator)
        let name = other.name.map { SafeText($0) } ?? .empty
        guard let isHere = await flow.present(ConfirmationModel(.legacySharedData(other: name)))
        else {
          return
        }
        let market = isHere ? navigator.favoriteMarket : other
        Self.move(from: past.former, to: market, in: store, navigator)
      }
    }
  }

  /// The other market of shared data, by its name or location.
  private static func other(of past: LegacySharedData, on navigator: Navigator) -> FavoriteMarket {
    let key = past.others.first ?? past.former
    let known = navigator.markets?.all.first { $0.key == key }
    let location = known?.location.text ?? key.location
    return FavoriteMarket(key: key, name: known?.name?.string ?? location, location: location)
  }

  private static func move(
    from old: MarketKey, to market: FavoriteMarket, in store: any PersonalDataStore,
    _ navigator: Navigator
  ) {
    Task {
      let isMoved = await store.move(from: old, to: market)
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

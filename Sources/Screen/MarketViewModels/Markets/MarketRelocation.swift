internal import MarketModel
internal import SafeTextKit

/// Recognition of a market at a new address, by the id that it generated for itself.
///
/// It asks the private file, and the market at its previous address whether that is still there. A
/// server may claim any id: the effect is at most one question, and nothing is sent to that server
/// because of it.
final class MarketRelocation {
  private enum Phase {
    /// The market has not answered yet.
    case waiting
    case identifying
    /// The market was known at this address; the question waits until no layer lies over the products.
    case moved(from: FavoriteMarket)
    /// No question in this run, or no further one.
    case over
  }

  private let identity: (any IdentifiedMarket)?
  private var phase = Phase.waiting

  init(with identity: (any IdentifiedMarket)?) {
    self.identity = identity
  }

  /// Begins recognition when the market's products are first shown, and asks when the screen is free.
  func didShow(_ products: @autoclosure () -> [Product], on navigator: Navigator) {
    switch phase {
    case .waiting: if !products().isEmpty { identify(on: navigator) }
    case .moved(let previous): askIfFree(about: previous, on: navigator)
    case .identifying, .over: break
    }
  }

  private func identify(on navigator: Navigator) {
    guard let store = navigator.program.personal else { return }
    phase = .identifying
    Task {
      guard let previous = await previousMarket(on: navigator, in: store) else {
        phase = .over
        return
      }
      phase = .moved(from: previous)
      askIfFree(about: previous, on: navigator)
    }
  }

  /// The market at its previous address; nil if there is nothing to ask.
  private func previousMarket(
    on navigator: Navigator, in store: any PersonalDataStore
  ) async -> FavoriteMarket? {
    guard let id = try? await identity?.marketID(),
      let previous = await store.didIdentify(id, at: navigator.market)
    else { return nil }
    // If the market is still at the other address, this one is a copy, or only claims the id.
    if let known = navigator.markets?.known(previous),
      await navigator.markets?.probe?.isThere(known, as: id) == true
    {
      return nil
    }
    return previous
  }

  // MARK: Asking

  private func askIfFree(about previous: FavoriteMarket, on navigator: Navigator) {
    guard !navigator.stack.isCovered,
      navigator.markets.map({ $0.current === navigator }) ?? true,
      let store = navigator.program.personal
    else { return }
    phase = .over
    navigator.stack.startFlow { flow in
      let name = navigator.markets?.known(previous)?.name ?? previous.name.map { SafeText($0) }
      switch await flow.present(ConfirmationModel(.relocation(from: name))) {
      case true?: Self.move(from: previous.key, in: store, navigator)
      case false?: Task { await store.decline(at: navigator.market) }
      // The next run may ask again.
      case nil: break
      }
    }
  }

  private static func move(
    from previous: MarketKey, in store: any PersonalDataStore, _ navigator: Navigator
  ) {
    Task {
      let isMoved = await store.move(from: previous, to: navigator.favoriteMarket)
      navigator.announce(.hint(isMoved ? .favoritesMoved : .favoritesNotMoved))
      guard isMoved else { return }
      navigator.program.favorites.reload()
      navigator.browser.seenTracker.restart()
      await navigator.program.alerts?.reload()
    }
  }
}

internal import MarketModel

/// Facts of the chosen product on which keys and footer depend: the same for most products of a list,
/// so that moving through it changes neither.
package struct ChosenFacts: Equatable {
  /// Whether a row that has been read is selected in the list.
  package let isSelected: Bool
  /// Whether it was registered by who sells from here.
  package let isOwn: Bool
  /// Whether the right password may change it, as far as is known.
  package let mayChange: Bool
  /// Whether who sells from here can tell its password: it is an own one, or its password is kept.
  package let knowsPassword: Bool
  /// Steps of its sale that come next, once what waits for the market is sent.
  package let nextSteps: [SaleStep]
  /// Why nothing is asked about it; nil where it may be, or nothing is chosen.
  package let refusalToAsk: Notice.Hint?
  /// What `*` is about; nil where that is nothing.
  package let favorite: Favorite?

  package enum Favorite: Equatable {
    case product(isKept: Bool)
    /// The one whose page is shown.
    case seller(isKept: Bool)
  }
}

extension Navigator {
  /// Facts of the product that is chosen now.
  package var chosenFacts: ChosenFacts {
    let chosen = chosen
    let isOwn = isOwn(chosen)
    return ChosenFacts(
      isSelected: browser.selected != nil, isOwn: isOwn,
      mayChange: chosen.map { mayChange($0) && !isGone($0) } ?? false,
      knowsPassword: isOwn
        || chosen.map { selling?.passwordCache.isKept(for: $0.id) == true } ?? false,
      nextSteps: SaleStep.next(for: forSale(chosen)),
      refusalToAsk: chosen.flatMap(refusalToAsk),
      favorite: favoriteSubject(choosing: chosen).map { subject in
        let isKept = isFavorite(FavoriteKey(subject, in: market))
        return if case .seller = subject { .seller(isKept: isKept) } else {
          .product(isKept: isKept)
        }
      })
  }
}

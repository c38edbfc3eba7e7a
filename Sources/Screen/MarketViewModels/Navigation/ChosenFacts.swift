internal import MarketModel

/// Facts of the chosen product on which keys and footer depend: the same for most products of a list,
/// so that moving through it changes neither.
package struct ChosenFacts: Equatable {
  /// Whether a row that has been read is selected in the list.
  package let isSelected: Bool
  /// Whether this seller's account has registered the product.
  package let isOwn: Bool
  /// Whether the right password may change the product, as far as the market has said.
  package let mayChange: Bool
  /// Whether the program can send the product's password: it is an own one, or its password is
  /// cached.
  package let knowsPassword: Bool
  /// Next steps of the product's sale, with queued edits taken into account.
  package let nextSteps: [SaleStep]
  /// Reason why no question about the product can be sent; nil where a question can be
  /// sent, or nothing is chosen.
  package let refusalToAsk: Notice.Hint?
  /// Product or seller that `*` adds or removes; nil where there is neither.
  package let favorite: Favorite?

  /// Subject of `*`; `isKept` if it is a favorite.
  package enum Favorite: Equatable {
    case product(isKept: Bool)
    /// The seller whose page is shown.
    case seller(isKept: Bool)
  }
}

extension Navigator {
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

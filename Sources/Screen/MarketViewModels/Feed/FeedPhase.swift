package import MarketModel

/// What the end of a feed shows.
package enum FeedPhase: Hashable, Sendable {
  /// More products may come when they are wanted.
  case idle
  /// A page is on its way.
  case loading
  /// The last page did not come; the products before it stay.
  case failed(RepositoryError)
  /// Everything is here.
  case ended

  /// Why the last page did not come.
  package var failure: RepositoryError? {
    if case .failed(let error) = self { error } else { nil }
  }
}

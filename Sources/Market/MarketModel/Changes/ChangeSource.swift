/// The port to changes as they come.
package protocol ChangeSource: Sendable {
  /// The news after a place, or from now on without one; it ends with `.lost`, or when its task is
  /// cancelled. Nothing wakes while nothing happens.
  func news(after cursor: ChangeCursor?) -> AsyncStream<ChangeEvent>
}

/// News of a market that is watched.
package enum ChangeEvent: Hashable, Sendable {
  /// The market answers; what follows is after this place.
  case watching(ChangeCursor)
  case changes(ChangeBatch)
  /// Nothing more is heard, for this reason; the last of all.
  case lost(RepositoryError)
}

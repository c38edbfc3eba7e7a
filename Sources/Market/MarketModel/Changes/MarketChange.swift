/// Change of a market, from its change log.
package enum MarketChange: Hashable, Sendable {
  case product(ProductChange)
  /// A seller's name or contact has changed.
  case seller(Seller.ID)
  /// A question or answer has changed; the product has not.
  case question(QuestionChange)
}

/// Change of one product.
package struct ProductChange: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case listed, changed, deleted
  }

  package var id: Product.ID
  package var kind: Kind
  /// Version after the change; nil for a deleted product.
  package var version: ProductVersion?
  package var seller: Seller.ID

  package init(id: Product.ID, kind: Kind, version: ProductVersion?, seller: Seller.ID) {
    self.id = id
    self.kind = kind
    self.version = version
    self.seller = seller
  }

  /// Whether the change led to the state of a known version; false where either is nil.
  package func led(to known: ProductVersion?) -> Bool {
    guard let version, let known else { return false }
    return version.state == known.state
  }
}

package struct QuestionChange: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case asked, answered, deleted
  }

  package var id: Question.ID
  package var product: Product.ID
  package var kind: Kind
  package var seller: Seller.ID

  package init(id: Question.ID, product: Product.ID, kind: Kind, seller: Seller.ID) {
    self.id = id
    self.product = product
    self.kind = kind
    self.seller = seller
  }
}

/// Cursor in a market's change log; only the market interprets it.
///
/// A client that continues from each cursor gets every change exactly once, those of one product in
/// order.
package struct ChangeCursor: RawRepresentable, Hashable, Sendable {
  /// Maximum length in bytes, with which a request's head has room for others; longer ones are refused.
  package static let maxBytes = 14 << 10

  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
}

/// Changes after a cursor, with the next cursor.
package struct ChangeBatch: Hashable, Sendable {
  package var changes: [MarketChange]
  package var cursor: ChangeCursor
  /// Whether the requested cursor is too old or of another market: changes are missing, and lists
  /// have to be read again.
  package var isReset: Bool

  package init(changes: [MarketChange], cursor: ChangeCursor, isReset: Bool = false) {
    self.changes = changes
    self.cursor = cursor
    self.isReset = isReset
  }
}

/// The port to a market's change log, for polling.
package protocol ChangeLog: Sendable {
  /// Returns the changes after a cursor, the oldest first, at most `limit`.
  ///
  /// A nil cursor returns none, and the cursor from which following begins.
  ///
  /// - Throws: `.store`, `.unreachable` or `.badAnswer` where the log cannot be read; `.cancelled`;
  ///   `.unsupported` where the market has none.
  func changes(
    after cursor: ChangeCursor?, atMost limit: Int
  ) async throws(RepositoryError) -> ChangeBatch

  /// Number that differs after a change of the market, read in microseconds; nil where only
  /// `changes(after:atMost:)` can tell.
  func dataVersion() -> Int64?
}

/// The port to changes as they happen.
package protocol ChangeSource: Sendable {
  /// Returns the events after a cursor, or from now on for nil.
  ///
  /// The stream ends with `.lost`, or when its task is cancelled; it does not poll while nothing
  /// changes.
  func news(after cursor: ChangeCursor?) -> AsyncStream<ChangeEvent>
}

/// Event of a followed market.
package enum ChangeEvent: Hashable, Sendable {
  /// Connected; changes after this cursor follow.
  case watching(ChangeCursor)
  case changes(ChangeBatch)
  /// Connection lost, with the reason; always the last event.
  case lost(RepositoryError)
}

/// Change of a market, as its log tells it.
package enum MarketChange: Hashable, Sendable {
  case product(ProductChange)
  /// A seller has another name or contact.
  case seller(Seller.ID)
  /// Something was asked or answered; the product stays as it is.
  case question(QuestionChange)
}

/// Change of one product.
package struct ProductChange: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case listed, changed, deleted
  }

  package var id: Product.ID
  package var kind: Kind
  /// The version that the change led to; nil for a deleted product.
  package var version: ProductVersion?
  package var seller: Seller.ID

  package init(id: Product.ID, kind: Kind, version: ProductVersion?, seller: Seller.ID) {
    self.id = id
    self.kind = kind
    self.version = version
    self.seller = seller
  }

  /// Whether the change led to a state that is known; false where one of them has no version.
  package func led(to known: ProductVersion?) -> Bool {
    guard let version, let known else { return false }
    return version.state == known.state
  }
}

/// Change of one question.
package struct QuestionChange: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case asked, answered, deleted
  }

  package var id: Question.ID
  package var product: Product.ID
  package var kind: Kind
  /// The product's seller.
  package var seller: Seller.ID

  package init(id: Question.ID, product: Product.ID, kind: Kind, seller: Seller.ID) {
    self.id = id
    self.product = product
    self.kind = kind
    self.seller = seller
  }
}

/// Place in a market's log of changes, in words that only the market understands.
///
/// Places are total: who follows them gets every change exactly once, each product's own in their
/// order.
package struct ChangeCursor: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }
}

/// One place in two logs, of products and of questions, the second of which older markets lack.
extension ChangeCursor {
  private static let separator: Character = "~"

  package init(products: ChangeCursor, questions: String) {
    self.init(rawValue: "\(products.rawValue)\(Self.separator)\(questions)")
  }

  /// The place in the log of products alone, as older programs know it.
  package var ofProducts: ChangeCursor {
    guard let end = rawValue.lastIndex(of: Self.separator) else { return self }
    return ChangeCursor(rawValue: String(rawValue[..<end]))
  }

  /// The place in the log of questions; nil where it is not said, so that following begins now.
  package var ofQuestions: String? {
    rawValue.lastIndex(of: Self.separator).map { String(rawValue[$0...].dropFirst()) }
  }
}

/// Changes after a place, with the place after them.
package struct ChangeBatch: Hashable, Sendable {
  package var changes: [MarketChange]
  package var cursor: ChangeCursor
  /// Whether the place that was asked for is too old, or none of this market: what was missed is
  /// unknown, and the lists are to be read again.
  package var isReset: Bool

  package init(changes: [MarketChange], cursor: ChangeCursor, isReset: Bool = false) {
    self.changes = changes
    self.cursor = cursor
    self.isReset = isReset
  }
}

/// The port to a market's log of changes, which is asked.
package protocol ChangeLog: Sendable {
  /// The changes after a place, the oldest first, at most so many; without a place there are none,
  /// and following begins now.
  func changes(
    after cursor: ChangeCursor?, atMost limit: Int
  ) async throws(RepositoryError) -> ChangeBatch

  /// A number that may be another one after a change of the market, read in microseconds; nil where
  /// only `changes(after:atMost:)` can tell.
  func dataVersion() -> Int64?
}

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

import MarketModel
import TextCoding

/// How much of our additions a server announces, in two headers of every answer.
///
/// `Market-Extensions: 1` stays as the first servers wrote it, for clients compare it with 1; the level
/// stands beside it.
package enum ExtensionLevel: Int, Comparable, Sendable, CaseIterable {
  /// A server of others.
  case none = 0
  /// Orders, filters, one seller, cursors, versions and idempotency.
  case first
  /// All parts of a query, what changes, and a page for people below the market's address for each
  /// product.
  case second
  /// The fields of products that came later, and parts of a query on them.
  case third
  /// Questions about products.
  case fourth

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The highest one: what our server speaks.
  package static let present = fourth

  /// The parts of a query that servers of the level answer.
  var parts: Set<QueryPart> {
    switch self {
    case .none: []
    case .first: [.words, .inStock, .reduced, .seller]
    case .second:
      // Choices that came later are not named here: servers of the level do not narrow by them.
      [
        .words, .phrases, .without, .price, .currency, .inStock, .reduced, .seller, .since, .ids,
      ]
    case .third, .fourth: Set(QueryPart.allCases)
    }
  }

  /// The fields that products at servers of the level do not have.
  var lackingFields: Set<ProductField> {
    switch self {
    case .none, .first, .second: Set(ProductField.allCases.filter { !$0.isInEveryMarket })
    case .third: [.questionsClosed]
    case .fourth: []
    }
  }

  /// The parts besides those that are answered whose truth the rows of such a server tell.
  func scannable(besides answered: Set<QueryPart>) -> Set<QueryPart> {
    Set(QueryPart.allCases).subtracting(answered).subtracting([.ids])
      .filter { part in part.field.map { !lackingFields.contains($0) } ?? true }
  }
}

extension HTTPHeaders {
  /// The level that is announced; of one that is not known yet we speak the highest that is.
  ///
  /// A level without the first header is somebody else's word.
  package var extensionLevel: ExtensionLevel {
    guard self[HeaderName.extensions] == "1" else { return .none }
    let level = self[HeaderName.extensionsLevel].flatMap { Int($0) } ?? 1
    return ExtensionLevel.allCases.last { $0.rawValue <= level && $0 > .none } ?? .first
  }

  /// The id that a server of the second level says its market has; nil for what is no id.
  package var marketID: MarketID? {
    guard extensionLevel >= .second else { return nil }
    return self[HeaderName.marketID].flatMap { MarketID($0) }
  }

  /// The position that a server of the second level says; nil for what is none.
  package var marketPosition: MarketPosition? {
    guard extensionLevel >= .second else { return nil }
    return self[HeaderName.marketPosition].flatMap { MarketPosition($0) }
  }

  /// The name that a server of the fourth level says its market has; nil where it says none.
  package var marketName: String? {
    get {
      guard extensionLevel >= .fourth, let text = self[HeaderName.marketName] else { return nil }
      let name = TextLimit.marketName.cut(PercentCoding.decode(text))
      return name.isEmpty ? nil : name
    }
    set { self[HeaderName.marketName] = newValue.map { PercentCoding.encode($0) } }
  }

  /// Announces a level; none takes away what was announced.
  package mutating func announce(_ level: ExtensionLevel) {
    self[HeaderName.extensions] = level == .none ? nil : "1"
    self[HeaderName.extensionsLevel] = level < .second ? nil : String(level.rawValue)
  }

  /// The public address of a market that was asked at another one; nil where it has no pages for
  /// people.
  ///
  /// What is announced counts at the origin that was asked alone: nobody speaks for others.
  package func publicAddress(askedAt asked: WebAddress) -> WebAddress? {
    guard extensionLevel >= .second else { return nil }
    let announced = self[HeaderName.marketAddress].flatMap { WebAddress($0) }
    return (announced?.origin == asked.origin ? announced ?? asked : asked).withoutEnding
  }

  /// The origin that a server of the second level announces as its storage of pictures; nil for what
  /// is no origin.
  package var pictureStorage: WebAddress.Origin? {
    guard extensionLevel >= .second,
      let address = self[HeaderName.marketStorage].flatMap({ WebAddress($0) }),
      address.target == "/"
    else { return nil }
    return address.origin
  }

  /// Announces the address at which the public reaches the market.
  package mutating func announce(_ address: String) {
    self[HeaderName.marketAddress] = address
  }
}

import MarketModel
import TextCoding

/// Level of our additions that a server announces, in two headers of every response.
///
/// `Market-Extensions: 1` never changes, since the first clients compare it with 1; a second header has
/// the level.
package enum ExtensionLevel: Int, Comparable, Sendable, CaseIterable {
  /// A server without our additions.
  case none = 0
  /// Orders, filters, one seller, cursors, versions and idempotency.
  case first
  /// All parts of a query, change notifications, and an HTML page for each product.
  case second
  /// The later fields of products, and parts of a query on them.
  case third
  /// Questions about products.
  case fourth

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The highest level, which our server speaks.
  package static let present = fourth

  /// The parts of a query that servers of the level evaluate.
  var parts: Set<QueryPart> {
    switch self {
    case .none: []
    case .first: [.words, .inStock, .reduced, .seller]
    case .second:
      // Later choices are not listed: servers of the level ignore them.
      [
        .words, .phrases, .without, .price, .currency, .inStock, .reduced, .seller, .since, .ids,
      ]
    case .third, .fourth: Set(QueryPart.allCases.filter { !lacks($0) })
    }
  }

  /// The product fields that servers of the level lack.
  var lackingFields: Set<ProductField> {
    switch self {
    case .none, .first, .second: Set(ProductField.allCases.filter { !$0.isInEveryMarket })
    case .third: [.questionsClosed]
    case .fourth: []
    }
  }

  /// The parts, besides the evaluated ones, that a client can check on the rows of such a server.
  func scannable(besides answered: Set<QueryPart>) -> Set<QueryPart> {
    Set(QueryPart.allCases).subtracting(answered).subtracting([.ids])
      .filter { !lacks($0) }
  }

  /// Whether servers of the level lack the field of a part.
  private func lacks(_ part: QueryPart) -> Bool {
    part.field.map(lackingFields.contains) ?? false
  }
}

extension HTTPHeaders {
  /// The announced level; the highest known one for a later level.
  ///
  /// A level without the first header is ignored.
  package var extensionLevel: ExtensionLevel {
    guard self[HeaderName.extensions] == "1" else { return .none }
    let level = self[HeaderName.extensionsLevel].flatMap { Int($0) } ?? 1
    return ExtensionLevel.allCases.last { $0.rawValue <= level && $0 > .none } ?? .first
  }

  /// The market's id, from the second level on; nil for an invalid id.
  package var marketID: MarketID? {
    guard extensionLevel >= .second else { return nil }
    return self[HeaderName.marketID].flatMap { MarketID($0) }
  }

  /// The market's position, from the second level on; nil for an invalid one.
  package var marketPosition: MarketPosition? {
    guard extensionLevel >= .second else { return nil }
    return self[HeaderName.marketPosition].flatMap { MarketPosition($0) }
  }

  /// The market's name, from the fourth level on; nil where there is none.
  package var marketName: String? {
    get {
      guard extensionLevel >= .fourth, let text = self[HeaderName.marketName] else { return nil }
      let name = TextLimit.marketName.cut(PercentCoding.decode(text))
      return name.isEmpty ? nil : name
    }
    set { self[HeaderName.marketName] = newValue.map { PercentCoding.encode($0) } }
  }

  /// Announces a level; `.none` removes the headers.
  package mutating func announce(_ level: ExtensionLevel) {
    self[HeaderName.extensions] = level == .none ? nil : "1"
    self[HeaderName.extensionsLevel] = level < .second ? nil : String(level.rawValue)
  }

  /// The public address of a market that was requested at another one; nil where it has no HTML pages.
  ///
  /// An address at another origin than the requested one is ignored.
  package func publicAddress(askedAt asked: WebAddress) -> WebAddress? {
    guard extensionLevel >= .second else { return nil }
    let announced = self[HeaderName.marketAddress].flatMap { WebAddress($0) }
    return (announced?.origin == asked.origin ? announced ?? asked : asked).withoutEnding
  }

  /// The origin of the market's picture storage, from the second level on; nil where there is none, or it
  /// is not an origin.
  package var pictureStorage: WebAddress.Origin? {
    guard extensionLevel >= .second,
      let address = self[HeaderName.marketStorage].flatMap({ WebAddress($0) }),
      address.target == "/"
    else { return nil }
    return address.origin
  }

  /// Announces the public address of the market.
  package mutating func announce(_ address: String) {
    self[HeaderName.marketAddress] = address
  }
}

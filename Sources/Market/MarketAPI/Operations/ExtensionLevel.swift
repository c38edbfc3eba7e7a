import MarketModel

/// How much of our additions a server announces, in two headers of every answer.
///
/// `Market-Extensions: 1` stays as the first servers wrote it, for clients compare it with 1; the level
/// stands beside it.
package enum ExtensionLevel: Int, Comparable, Sendable, CaseIterable {
  /// A server of others.
  case none = 0
  /// Orders, filters, one seller, cursors, versions and idempotency.
  case first
  /// All parts of a query, and what changes.
  case second

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The highest one: what our server speaks.
  package static let present = second

  /// The parts of a query that servers of the level answer.
  var parts: Set<QueryPart> {
    switch self {
    case .none: []
    case .first: [.words, .inStock, .reduced, .seller]
    case .second: Set(QueryPart.allCases)
    }
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

  /// Announces a level; none takes away what was announced.
  package mutating func announce(_ level: ExtensionLevel) {
    self[HeaderName.extensions] = level == .none ? nil : "1"
    self[HeaderName.extensionsLevel] = level < .second ? nil : String(level.rawValue)
  }
}

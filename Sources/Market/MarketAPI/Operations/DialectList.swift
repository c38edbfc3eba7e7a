import MarketModel

/// Dialects that a program speaks, in the order in which a server is probed for them.
///
/// The values of `--api`, probes, routing and the cache follow from the list.
package struct DialectList: Sendable {
  package static let market = market(daysIn: .utc)

  /// The dialects of the market, for a server whose responses give days in a time zone; a new dialect is
  /// added here.
  package static func market(daysIn timeZone: TimeZone) -> DialectList {
    DialectList([
      ProductsDialect(variant: .y2023, daysIn: timeZone),
      ProductsDialect(variant: .y2022, daysIn: timeZone),
      ItemsDialect(),
    ])
  }

  package let all: [any MarketDialect]

  package init(_ all: [any MarketDialect]) { self.all = all }

  /// The dialect of a name; nil for an unknown name.
  package subscript(name: String) -> (any MarketDialect)? {
    all.first { $0.name == name }
  }

  /// The dialects that a server speaks: one of each family, the first in the list or the one of the given
  /// name.
  package func served(as name: String? = nil) -> [any MarketDialect] {
    var families: Set<String> = []
    let chosen = all.filter { $0.name == name }
    return (chosen + all).filter { families.insert($0.family).inserted }
  }

  /// The names that a server's operator can choose: those of families with more than one dialect.
  package var servedNames: [String] {
    all.filter { dialect in all.filter { $0.family == dialect.family }.count > 1 }.map(\.name)
  }
}

/// The user's choice for a server: the name of a dialect, or `auto` to probe it.
package struct DialectChoice: RawRepresentable, Hashable, Sendable, CaseIterable {
  package static let auto = DialectChoice("auto")
  package static let allCases =
    [auto] + DialectList.market.all.reversed().map { DialectChoice($0.name) }

  package let rawValue: String

  /// The chosen dialect; nil for `auto`.
  package var dialect: (any MarketDialect)? { DialectList.market[rawValue] }

  private init(_ name: String) { rawValue = name }

  package init?(rawValue: String) {
    self.init(rawValue)
    guard Self.allCases.contains(self) else { return nil }
  }
}

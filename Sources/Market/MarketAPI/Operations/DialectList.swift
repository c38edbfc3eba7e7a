import MarketModel

/// The dialects that a program speaks, in the order in which a server is asked for them.
///
/// The words of `--api`, what a probe asks, what a router reads and what the cache remembers follow
/// from the list.
package struct DialectList: Sendable {
  package static let market = market(daysIn: .utc)

  /// The dialects of the market, for a server whose answers say days of a time zone: a new one is a
  /// line here.
  package static func market(daysIn timeZone: TimeZone) -> DialectList {
    DialectList([
      ProductsDialect(variant: .y2023, daysIn: timeZone),
      ProductsDialect(variant: .y2022, daysIn: timeZone),
      ItemsDialect(),
    ])
  }

  package let all: [any MarketDialect]

  package init(_ all: [any MarketDialect]) {
    self.all = all
  }

  /// The dialect of a name; nil for a name of none.
  package subscript(name: String) -> (any MarketDialect)? {
    all.first { $0.name == name }
  }

  /// The dialects that a server speaks at once: one of each family, which is the first of it in the
  /// list, or the one of the given name.
  package func served(as name: String? = nil) -> [any MarketDialect] {
    var families: Set<String> = []
    let chosen = all.filter { $0.name == name }
    return (chosen + all).filter { families.insert($0.family).inserted }
  }

  /// The names that make a difference to a server: those of families with more than one dialect.
  package var servedNames: [String] {
    all.filter { dialect in all.filter { $0.family == dialect.family }.count > 1 }.map(\.name)
  }
}

/// Choice of the user for a server: the name of a dialect, or `auto` to ask it.
package struct DialectChoice: RawRepresentable, Hashable, Sendable, CaseIterable {
  package static let auto = DialectChoice("auto")
  package static let allCases =
    [auto] + DialectList.market.all.reversed().map { DialectChoice($0.name) }

  package let rawValue: String

  /// The dialect that was named.
  package var dialect: (any MarketDialect)? { DialectList.market[rawValue] }

  private init(_ name: String) {
    rawValue = name
  }

  package init?(rawValue: String) {
    self.init(rawValue)
    guard Self.allCases.contains(self) else { return nil }
  }
}

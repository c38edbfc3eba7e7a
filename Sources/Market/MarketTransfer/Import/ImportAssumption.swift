import MarketModel
import MarketStrings
import SafeTextKit

/// What an import takes for granted, told before it writes.
package enum ImportAssumption: Hashable, Sendable {
  /// Headings of other programs with the columns that they mean.
  case columns([TableOptions.Column])
  case value(AssumedValue)

  /// The message for the user.
  package func text(_ strings: Strings) -> SafeText {
    switch self {
    case .columns(let columns):
      let pairs = columns.map { "\($0.name)=\($0.heading)" }
      return strings(.importColumns, SafeText(pairs.joined(separator: ", ")))
    case .value(let value): return value.text(strings)
    }
  }
}

/// Value that the rows of a table do not name.
package struct AssumedValue: Hashable, Sendable {
  /// The currency or the stock.
  package var field: ProductField
  /// Number of rows; where `isAll` is false, more may follow.
  package var rows: Int
  package var isAll: Bool
  /// Whether the table has a column for it, which is empty in these rows.
  package var hasColumn: Bool
  package var currency: Currency
  /// Whether the currency is that of the market's newest product, not of the program's language.
  package var isOfMarket: Bool
}

extension AssumedValue {
  fileprivate func text(_ strings: Strings) -> SafeText {
    let number = SafeText(String(grouped: Int64(rows)))
    let count = isAll ? number : strings(.importAtLeast, number)
    guard field == .currency else {
      return strings(hasColumn ? .importEmptyStock : .importNoStockColumn, count, number: rows)
    }
    return strings(
      hasColumn ? .importEmptyCurrency : .importNoCurrencyColumn, count,
      SafeText(currency.rawValue),
      strings[isOfMarket ? .importAsNewest : .importAsLanguage], number: rows)
  }
}

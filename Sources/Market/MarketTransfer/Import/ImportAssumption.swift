import MarketModel
import MarketStrings
import SafeTextKit

/// Value that the rows of a table do not name and the import takes for granted.
package struct ImportAssumption: Hashable, Sendable {
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

extension ImportAssumption {
  /// The message for the user.
  package func text(_ strings: Strings) -> SafeText {
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

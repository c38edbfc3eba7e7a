import MarketStrings

/// Where the parts of a row stand; what has no room is left out, the price never.
struct RowColumns: Hashable {
  let name = 2
  /// The column behind the price's last digit.
  let priceEnd: Int
  let stock: Int?
  /// The column behind the age.
  let ageEnd: Int?

  private static let gap = 2
  /// What a name must keep for a discount to be shown beside it.
  private static let shortestName = 12

  /// - Parameters:
  ///   - width: columns of the row.
  ///   - language: its words decide how wide stock and age are.
  init(width: Int, language: Language) {
    let (stockWidth, ageWidth) = language == .korean ? (8, 9) : (9, 13)
    let showsStock = width >= 40
    let showsAge = width >= 52
    let end = width - 2
    ageEnd = showsAge ? end : nil
    let stockEnd = showsAge ? end - ageWidth - 1 : end
    stock = showsStock ? stockEnd - stockWidth : nil
    priceEnd = showsStock ? stockEnd - stockWidth - Self.gap : end
  }

  /// Whether enough of a name is left that ends before this column.
  func leavesName(before column: Int) -> Bool { column - 1 - name >= Self.shortestName }
}

import MarketModel
import MarketStore

extension ProductSelection {
  /// A query of the columns `id` and those of the order that looks the finds up in the index and
  /// sorts them.
  func finds(_ parameters: inout StatementParameters) -> String {
    let columns = order.columns.joined(separator: ", ")
    return """
      SELECT id, \(columns) FROM \(matches(&parameters))
      ORDER BY \(columns) LIMIT \(limit) OFFSET \(passing)
      """
  }

  /// The tables and conditions of all that matches.
  func matches(_ parameters: inout StatementParameters) -> String {
    let found = search?.condition(usesIndex: true, &parameters) ?? "true"
    guard states.count < 4 || seller != nil || after != nil || limit > 0 else {
      return "product_search WHERE \(found)"
    }
    return """
      product_search JOIN product ON product.id = product_search.product
      WHERE \(found)\(filter)\(conditionAfter(&parameters))
      """
  }

  private var filter: String {
    var text = ""
    if states.count < 4 {
      text += " AND state IN (\(states.map(String.init).joined(separator: ", ")))"
    }
    if let seller { text += " AND seller = \(seller.rawValue)" }
    return text
  }
}

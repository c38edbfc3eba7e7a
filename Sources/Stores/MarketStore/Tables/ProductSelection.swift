import MarketModel
import SQLiteKit
import StoreCore

/// Index along which products are selected.
enum DrivingIndex: Hashable {
  /// The order's own index, which needs no sorting.
  case order
  case sellers
  case created
  case prices
  case field(ProductField)

  /// Indexes that restrict products by some conditions, the probably most selective first.
  static func all(for narrowing: ProductConditions) -> [DrivingIndex] {
    var drivers: [DrivingIndex] = []
    if !narrowing.sellers.isEmpty { drivers.append(.sellers) }
    if narrowing.since != nil { drivers.append(.created) }
    drivers += narrowing.indexedFields.map(DrivingIndex.field)
    if narrowing.hasPrices { drivers.append(.prices) }
    return drivers
  }

  /// The field whose index it is; nil for another one.
  var field: ProductField? { if case .field(let field) = self { field } else { nil } }

  func index(in order: StoredOrder) -> String {
    switch self {
    case .order: order.index
    case .sellers: "product_of_seller"
    case .created: "product_created"
    case .prices: "product_cheapest"
    case .field(let field): "product_of_" + field.rawValue
    }
  }

  /// The parts of an order that are read in sequence; along another index than the order's own there is
  /// one part, which is sorted.
  func parts(
    of narrowing: ProductConditions, in order: StoredOrder, after key: OrderKey?
  ) -> [OrderPart] {
    self == .order
      ? narrowing.parts(of: order, after: key) : [OrderPart(narrowing, in: order, after: key)]
  }
}

/// Statement that finds the ids of a page, or of a part of an order within it.
///
/// Along an order the products of each state come from their own range of the order's index, and SQLite
/// merges the ranges while it reads; so any filters cost only the page. Along another index all matches
/// are sorted.
struct ProductSelection {
  /// Maximum number of sellers whose index ranges are merged.
  static let maxRanges = 16

  let sql: String
  let values: [SQLValue]

  init(_ part: OrderPart, along driver: DrivingIndex = .order, offset: Int, limit: Int) {
    var values = StatementParameters(.sqlite)
    let (order, narrowing) = (part.order, part.narrowing)
    let terms = order.terms().joined(separator: ", ")
    let isOfSellers =
      driver == .order && order.order == .newest
      && (1...Self.maxRanges).contains(narrowing.sellers.count)
    let index = isOfSellers ? DrivingIndex.sellers.index(in: order) : driver.index(in: order)
    let ranges =
      if isOfSellers {
        Self.sellerRanges(part, &values)
      } else if driver == .order {
        narrowing.ranges(of: order, after: part.after, &values)
      } else {
        [
          narrowing.conditions(along: driver, &values)
            + order.condition(after: part.after, &values)
        ]
      }
    let selects = ranges.map { range in
      "SELECT id, \(terms) FROM product INDEXED BY \(index) WHERE \(range)"
    }
    let positions = order.terms().indices.map { String($0 + 2) }.joined(separator: ", ")
    let (limit, offset) = (
      values.add(.integer(Int64(limit))), values.add(.integer(Int64(offset)))
    )
    sql = """
      \(selects.joined(separator: " UNION ALL ")) ORDER BY \(positions)
      LIMIT \(limit) OFFSET \(offset)
      """
    self.values = values.values
  }

  /// The ranges of the newest products of each seller.
  private static func sellerRanges(_ part: OrderPart, _ values: inout StatementParameters)
    -> [String]
  {
    part.narrowing.sellers.map { seller in
      var one = part.narrowing
      one.sellers = [seller]
      return one.statesCondition + one.conditionsButStates(&values)
        + part.order.condition(after: part.after, &values)
    }
  }
}

/// Statement that reads the ids of products along an index other than an order's, unordered.
struct ProductScan {
  private let rows: String
  private let parameters: StatementParameters

  init(_ narrowing: ProductConditions, along driver: DrivingIndex) {
    var values = StatementParameters(.sqlite)
    rows = """
      FROM product INDEXED BY \(driver.index(in: StoredOrder(.newest)))
      WHERE \(narrowing.conditions(along: driver, &values))
      """
    parameters = values
  }

  var ids: (sql: String, values: [SQLValue]) { ("SELECT id \(rows)", parameters.values) }

  /// Counts up to a limit; a negative limit is none.
  func count(atMost limit: Int) -> (sql: String, values: [SQLValue]) {
    var parameters = parameters
    let limit = parameters.add(.integer(Int64(limit)))
    return ("SELECT count(*) FROM (SELECT 1 \(rows) LIMIT \(limit))", parameters.values)
  }
}

extension ProductConditions {
  /// All conditions, written so that the index finds its own.
  fileprivate func conditions(along driver: DrivingIndex, _ values: inout StatementParameters)
    -> String
  {
    statesCondition + conditionsButStates(namingCurrencies: driver == .prices, &values)
  }

  /// The conditions that an index finds, and those on states.
  func part(along driver: DrivingIndex) -> ProductConditions {
    switch driver {
    case .order: self
    case .sellers: only(keepsSellers: true)
    case .created: only(keepsSince: true)
    case .prices: only(keepsPrices: true)
    case .field(let field): only(keeping: field)
    }
  }
}

import MarketModel
import SQLiteKit

/// Conditions of a query on columns of `product`, in the form that both databases use.
package struct ProductConditions: Hashable, Sendable {
  package var states: [Int]
  /// Currencies of the products that pass, in order; empty where no product can pass.
  package private(set) var currencies: [Currency]
  /// Range of the price to pay in hundredths; nil is unlimited.
  package private(set) var price: ClosedRange<Int64>?
  /// Seller ids, unique and ascending; empty is all.
  package var sellers: [Int64]
  /// Minimum time of registration, in seconds since 1970; nil is unlimited.
  package private(set) var since: Int64?
  /// Accepted values of each choice field that has a column of its name.
  package private(set) var choices: [ProductField: [String]]
  /// Beginning of a word of the place; nil is any place.
  package private(set) var place: PlaceKey?
  /// Required value of `isReserved`; nil is either.
  package private(set) var isReserved: Bool?

  package init(_ query: ProductQuery) {
    states = query.filters.states
    // No store has ids outside this range.
    sellers = Set(query.sellers.map(\.rawValue)).filter(StoredNumbers.sellerIDs.contains).sorted()
    since = query.since?.seconds
    choices = query.choices.filter { $0.key != .currency }.mapValues { $0.sorted() }
    place = PlaceKey(query.place)
    let (reserved, unreserved) = (
      query.filters.contains(.reserved), !query.filters.isDisjoint(with: [.available, .unreserved])
    )
    if reserved && unreserved { states = [] }
    isReserved = reserved ? true : unreserved ? false : nil
    let (lowest, highest) = (max(0, query.price.minimum ?? 0), query.price.maximum ?? .max)
    let canPass = lowest <= highest && query.sellers.isEmpty == sellers.isEmpty
    price = canPass && (lowest > 0 || highest < .max) ? lowest...highest : nil
    currencies =
      canPass
      ? StorageRules.currencies.filter { query.currency == nil || query.currency == $0 }.sorted()
      : []
  }

  /// Passes all products of some states.
  package init(states: [Int]) {
    self.states = states
    (sellers, since, price, currencies) = ([], nil, nil, StorageRules.currencies.sorted())
    (choices, place, isReserved) = ([:], nil, nil)
  }

  /// Whether no product can pass.
  package var passesNothing: Bool { currencies.isEmpty }

  /// Whether only states are restricted.
  package var isOfStatesAlone: Bool {
    !hasPrices && sellers.isEmpty && since == nil && isReserved == nil && indexedFields.isEmpty
  }

  /// Whether all that pass are counted without a limit: products of some states or of one seller.
  package var areCountedExactly: Bool {
    isOfStatesAlone || sellers.count == 1 && only(keepsSellers: true) == self
  }

  /// Whether every product passes.
  package var isEmpty: Bool { isOfStatesAlone && states.count == 4 }

  /// The restricted fields that have an index of their own.
  package var indexedFields: [ProductField] {
    ProductField.allCases.filter { field in
      choices[field] != nil || field == .place && place != nil
        || field == .reserved && isReserved == true
    }
  }

  /// Maximum number of products that are read along a field's index and sorted for a page; for more, the
  /// page is read along the order's index.
  ///
  /// A field's index contains the columns of every order, so that sorting reads no rows; along a price
  /// index few products may come early. Within one value the field's index is in the newest order.
  package static func maxSortedCount(along field: ProductField?, in order: ProductOrder) -> Int {
    guard let field, field == .place || order != .newest else { return ProductTotal.bound }
    return 100_000
  }

  /// Whether prices or the currency are restricted.
  package var hasPrices: Bool { price != nil || currencies.count < StorageRules.currencies.count }

  /// The parts of an order after a key, in sequence; at least one.
  package func parts(of order: StoredOrder, after key: OrderKey?) -> [OrderPart] {
    guard order.hasSoldOutLast else { return [OrderPart(self, in: order, after: key)] }
    let parts = [false, true].compactMap { isSoldOut -> OrderPart? in
      if key?.isSoldOut == true, !isSoldOut { return nil }
      var part = self
      part.states = states.filter { ProductState.isSoldOut($0) == isSoldOut }
      let after = key?.isSoldOut == isSoldOut ? key?.withinPart : nil
      return OrderPart(part, in: order.withinPart, after: after)
    }
    let filled = parts.filter { !$0.narrowing.states.isEmpty }
    return filled.isEmpty ? parts : filled
  }

  /// The conditions on states, and those of the others that the arguments keep.
  package func only(
    keepsSellers: Bool = false, keepsSince: Bool = false, keepsPrices: Bool = false,
    keeping field: ProductField? = nil
  ) -> ProductConditions {
    var part = self
    if !keepsSellers { part.sellers = [] }
    if !keepsSince { part.since = nil }
    part.choices = choices.filter { $0.key == field }
    if field != .place { part.place = nil }
    if field != .reserved { part.isReserved = nil }
    if !keepsPrices { (part.price, part.currencies) = (nil, StorageRules.currencies.sorted()) }
    return part
  }

  package func passes(_ product: Product) -> Bool {
    guard let pays = product.pricing.price?.toPay else { return false }
    return states.contains(product.state) && currencies.contains(pays.currency)
      && price?.contains(pays.hundredths) ?? true
      && (sellers.isEmpty || sellers.contains(product.seller.id.rawValue))
      && product.created.seconds >= since ?? .min
      && choices.allSatisfy { field, values in
        ProductDetail(product: product)[field]?.code.map(values.contains) ?? false
      }
      && place?.beginsWord(of: product.place) ?? true
      && (isReserved == nil || isReserved == product.isReserved)
  }
}

// MARK: SQL

extension ProductConditions {
  /// SQL conditions on columns of `product`, each of which begins with ` AND `.
  package func conditions(_ values: inout StatementParameters) -> String {
    (states.count < 4 ? " AND " + statesCondition : "") + conditionsButStates(&values)
  }

  /// The conditions on all columns except the state.
  ///
  /// An index by price has the currency before it, and finds a price range only where each currency is
  /// named.
  package func conditionsButStates(
    namingCurrencies: Bool = false, _ values: inout StatementParameters
  ) -> String {
    (hasPrices ? pricesCondition(namingCurrencies: namingCurrencies, &values) : "")
      + others(&values)
  }

  package var statesCondition: String {
    // No product is in state -1.
    "state IN (\(states.isEmpty ? "-1" : states.map(String.init).joined(separator: ", ")))"
  }

  /// The condition that finds the products of all given sellers by their index.
  private func sellersCondition(_ values: inout StatementParameters) -> String {
    if sellers.count == 1, let seller = sellers.first {
      return "seller = " + values.add(.integer(seller))
    }
    return values.condition(that: "seller", isAmong: sellers)
  }

  private func pricesCondition(
    namingCurrencies: Bool = false, _ values: inout StatementParameters
  ) -> String {
    var text = ""
    if currencies.count == 1, let currency = currencies.first {
      text += " AND currency = " + values.add(.text(currency.rawValue))
    } else if namingCurrencies {
      text += " AND currency IN " + values.list(currencies.map { .text($0.rawValue) })
    }
    if let price {
      text += " AND to_pay BETWEEN " + values.add(.integer(price.lowerBound))
      text += " AND " + values.add(.integer(price.upperBound))
    }
    return text
  }

  private func others(_ values: inout StatementParameters) -> String {
    var text = sellers.isEmpty ? "" : " AND " + sellersCondition(&values)
    if let since { text += " AND created >= " + values.add(.integer(since)) }
    for field in ProductField.choices {
      guard let chosen = choices[field] else { continue }
      text += " AND \(field.rawValue) IN " + values.list(chosen.map { .text($0) })
    }
    if let place {
      let range =
        "word >= \(values.add(.text(place.text))) AND word < \(values.add(.text(place.end)))"
      text += values.condition(
        that: "place", isAmongRows: "SELECT place_word.place FROM place_word WHERE \(range)")
    }
    switch isReserved {
    case true: text += " AND reserved = 1"
    case false: text += " AND reserved IS NULL"
    case nil: break
    }
    return text
  }

  /// Conditions of the index ranges that hold the products of a part of an order after a key, one for
  /// each range; at least one.
  ///
  /// A range has one state. Where prices are restricted in an order by price, it has one currency, and
  /// its bounds are the prices.
  package func ranges(
    of order: StoredOrder, after key: OrderKey?, _ values: inout StatementParameters
  ) -> [String] {
    var ranges: [String] = []
    for state in states {
      guard hasPrices, let column = order.priceColumn else {
        var range = "state = \(state)" + order.condition(after: key, &values)
        if hasPrices { range += pricesCondition(&values) }
        ranges.append(range + others(&values))
        continue
      }
      let parts = currencies.compactMap { currency in
        CurrencyPriceRange(of: currency, in: order, bounds: price, after: key)
      }
      for part in parts {
        ranges.append(
          "state = \(state)" + part.condition(on: column, &values) + others(&values))
      }
    }
    // No product is in this state.
    return ranges.isEmpty ? ["state = -1"] : ranges
  }
}

/// Products of one currency in an order by price, after a key and within bounds.
private struct CurrencyPriceRange {
  let currency: Currency
  /// In the order's own column, which is ascending.
  private let bounds: ClosedRange<Int64>?
  /// Price and newness of the preceding product; nil where all products within the bounds follow it.
  private let after: (price: Int64, newness: Int64)?

  /// Nil where no product is left.
  init?(
    of currency: Currency, in order: StoredOrder, bounds: ClosedRange<Int64>?, after key: OrderKey?
  ) {
    self.currency = currency
    let isTurned = order.order == .priceDescending
    self.bounds = bounds.map { isTurned ? -$0.upperBound ... -$0.lowerBound : $0 }
    guard let key else {
      after = nil
      return
    }
    guard case .currency(let position) = key.values.first, case .number(let price) = key.values[1],
      case .number(let newness) = key.values[2]
    else { return nil }
    if currency < position { return nil }
    if let highest = self.bounds?.upperBound, currency == position, price > highest { return nil }
    let isBefore = currency > position || price < self.bounds?.lowerBound ?? .min
    after = isBefore ? nil : (price, newness)
  }

  func condition(on column: String, _ values: inout StatementParameters) -> String {
    var text = " AND currency = " + values.add(.text(currency.rawValue))
    if let after {
      let key: [SQLValue] = [.integer(after.price), .integer(after.newness)]
      text += " AND (\(column), newness) > " + values.list(key)
    } else if let bounds {
      text += " AND \(column) >= " + values.add(.integer(bounds.lowerBound))
    }
    if let bounds { text += " AND \(column) <= " + values.add(.integer(bounds.upperBound)) }
    return text
  }
}

extension StoredOrder {
  /// The column of the price to pay, negated where descending; nil in other orders.
  package var priceColumn: String? {
    switch order {
    case .newest, .biggestDiscount: nil
    case .cheapest: "to_pay"
    case .priceDescending: "dearness"
    }
  }

  /// The condition for products after a key, which begins with ` AND `; empty without a key.
  package func condition(after key: OrderKey?, _ values: inout StatementParameters) -> String {
    guard let key else { return "" }
    return " AND (\(terms().joined(separator: ", "))) > " + values.list(key.values.map(\.sql))
  }
}

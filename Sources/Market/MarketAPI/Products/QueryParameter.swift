import MarketModel

/// Query parameter of a part of a query, written and read by one definition.
struct QueryParameter: Sendable {
  let name: String
  /// Maximum number of occurrences; of a parameter with limit 1, the first counts, else more are
  /// rejected.
  var limit = 1
  /// Requirement on its value, for the error message.
  let rule: String
  /// The values for a query.
  let write: @Sendable (ProductQuery) -> [String]
  /// Reads one value into a query; false for an invalid one.
  let read: @Sendable (String, inout ProductQuery) -> Bool

  /// Reads all values of a request; empty ones count as absent.
  /// - Throws: `.malformed` for an invalid value, or too many.
  func read(from items: QueryItems, into query: inout ProductQuery) throws(RequestProblem) {
    let values = items.values(of: name)
    guard limit == 1 || values.count <= limit else {
      throw .malformed(part: name, reason: "must not come more than \(limit) times")
    }
    for value in values.prefix(limit) where !read(value, &query) {
      throw .malformed(part: name, reason: rule)
    }
  }
}

extension QueryPart {
  /// The parameters of the part in a request for a list.
  var parameters: [QueryParameter] {
    switch self {
    case .words: [.words]
    case .phrases: [.texts("phrase", \.phrases)]
    case .without: [.texts("not", \.without)]
    case .price: [.bound("min_price", \.price.minimum), .bound("max_price", \.price.maximum)]
    case .choice(let field): [.choice(field)]
    case .place: [.place]
    case .filter(.inStock): [.filter("in_stock", .inStock)]
    case .filter(.reduced): [.filter("reduced", .reduced)]
    case .filter(.available): [.filter("available", .available)]
    case .filter(.sold): [.filter("sold", .sold)]
    case .filter(.reserved): [.filter("reserved", .reserved, otherwise: .unreserved)]
    // Written by the parameter of `reserved` as 0.
    case .filter(.unreserved): []
    case .seller: [.sellers]
    case .since: [.since]
    case .ids: [.ids]
    }
  }
}

extension QueryParameter {
  /// Writing cuts a longer search; reading rejects it.
  fileprivate static let words = QueryParameter(
    name: "search_value", rule: "is too long",
    write: { query in
      let text = TextLimit.search.cut(query.text)
      return text.isEmpty ? [] : [text]
    },
    read: { value, query in
      query.text = value
      return TextLimit.search.allows(value)
    })

  /// Phrases, each in a parameter of its own.
  fileprivate static func texts(
    _ name: String, _ texts: any WritableKeyPath<ProductQuery, [String]> & Sendable
  ) -> QueryParameter {
    QueryParameter(
      name: name, limit: ProductQuery.maxTexts,
      rule: "must be text of at most \(TextLimit.searchRun.characters.upperBound) characters",
      // Blank phrases have no effect.
      write: { $0[keyPath: texts].filter { !$0.allSatisfy(\.isWhitespace) } },
      read: { value, query in
        query[keyPath: texts].append(value)
        return TextLimit.searchRun.allows(value) && !value.allSatisfy(\.isWhitespace)
      })
  }

  /// Amount in main units, exact to the hundredth.
  fileprivate static func bound(
    _ name: String, _ bound: any WritableKeyPath<ProductQuery, Int64?> & Sendable
  ) -> QueryParameter {
    QueryParameter(
      name: name, rule: "must be an amount with at most two decimals",
      write: { query in
        query[keyPath: bound].map { [String(hundredths: $0, decimals: .shortest)] } ?? []
      },
      read: { value, query in
        query[keyPath: bound] = DecimalNumber(value)?.hundredths
        return query[keyPath: bound] != nil
      })
  }

  fileprivate static func choice(_ field: ProductField) -> QueryParameter {
    let names: [String]? = if case .choice(let names) = field.kind { names } else { nil }
    return QueryParameter(
      name: field.rawValue, limit: names?.count ?? 1,
      rule: names.map { "must be one of " + $0.joined(separator: ", ") }
        ?? "must be the code of a currency",
      write: { query in query.choices[field].map(field.inOrder) ?? [] },
      read: { value, query in
        query.choices[field, default: []].insert(names == nil ? value.uppercased() : value)
        return names?.contains(value)
          ?? (TextLimit.currency.allows(value) && value.allSatisfy { $0.isASCII && $0.isLetter })
      })
  }

  /// Flag for a filter, with `other` or none for 0.
  fileprivate static func filter(
    _ name: String, _ filter: ProductFilter, otherwise other: ProductFilter? = nil
  ) -> QueryParameter {
    QueryParameter(
      name: name, rule: "must be 1 or 0",
      write: { query in
        if query.filters.contains(filter) { return ["1"] }
        return other.map(query.filters.contains) == true ? ["0"] : []
      },
      read: { value, query in
        switch value.lowercased() {
        case "0", "false":
          if let other { query.filters.insert(other) }
          return true
        case "1", "true":
          query.filters.insert(filter)
          return true
        default: return false
        }
      })
  }

  fileprivate static let place = QueryParameter(
    name: "place",
    rule: "must be text, not blank, of at most \(TextLimit.place.characters.upperBound) characters",
    write: { PlaceKey($0.place) == nil ? [] : [$0.place] },
    read: { value, query in
      query.place = value
      return TextLimit.place.allows(value) && PlaceKey(value) != nil
    })

  fileprivate static let sellers = QueryParameter(
    name: "vendor_id", limit: ProductQuery.maxSellers, rule: "must be a number",
    write: { query in query.sellers.map { String($0.rawValue) } },
    read: { value, query in
      guard let number = Int64(value) else { return false }
      query.sellers.append(Seller.ID(rawValue: number))
      return true
    })

  fileprivate static let since = QueryParameter(
    name: "since", rule: "must be a time such as 2026-11-22T09:00:00Z",
    write: { query in query.since.map { [WireDate.instant($0)] } ?? [] },
    read: { value, query in
      query.since = WireDate.read(value).map { Timestamp(seconds: $0.seconds) }
      return query.since != nil
    })

  /// A repeated id keeps its first position.
  fileprivate static let ids = QueryParameter(
    name: "id", limit: ProductQuery.maxIDs, rule: "must be a product's number",
    write: { query in (query.ids ?? []).map { String($0.rawValue) } },
    read: { value, query in
      guard let id = Product.ID(segment: value) else { return false }
      if query.ids?.contains(id) != true { query.ids = (query.ids ?? []) + [id] }
      return true
    })
}

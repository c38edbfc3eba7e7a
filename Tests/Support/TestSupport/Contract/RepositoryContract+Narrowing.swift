import MarketModel

/// Lists that are narrowed by where products are, and by whether they can still be had.
extension RepositoryContract {
  static let narrowing = [
    RepositoryContract(
      "a place is found by the beginning of any of its words, however that is written"
    ) { repository in
      for place in [
        "서울 마포구", "서울특별시", "경기 서울대공원", "Seoul, Mapo", "New York", "100%", "a_b", "o'clock \"x\"",
        "제주\u{10FFFF}시", "\u{7}대구", "  ", nil,
      ] {
        var product = ProductRegistration.sample(name: place ?? "none")
        product.place = place
        _ = try await repository.register(product)
      }

      for (beginning, places) in [
        ("서울", ["경기 서울대공원", "서울특별시", "서울 마포구"]), ("서울 특", ["서울특별시"]),
        (" 서울마포", ["서울 마포구"]), ("서울 마", ["서울 마포구"]), ("마포", ["서울 마포구"]), ("포구", []),
        ("대공원", []), ("경기", ["경기 서울대공원"]), ("경기 서울", ["경기 서울대공원"]),
        ("mapo", ["Seoul, Mapo"]), ("seoul mapo", ["Seoul, Mapo"]), ("apo", []), ("mapo seoul", []),
        ("seoul", ["Seoul, Mapo"]), ("SEOUL,  mApO", ["Seoul, Mapo"]), ("Ｓｅｏ", ["Seoul, Mapo"]),
        ("new y", ["New York"]), ("york,", ["New York"]), ("%", []), ("_", []), ("*", []),
        ("1", ["100%"]), ("100%", ["100%"]), ("%1", ["100%"]), ("ab", ["a_b"]), ("b", ["a_b"]),
        ("a%b", ["a_b"]), ("clock", ["o'clock \"x\""]),
        ("'", []), ("o’clock “", ["o'clock \"x\""]), ("' OR '1'='1", []), ("\\", []),
        ("\u{301}", []),
        ("제주", ["제주\u{10FFFF}시"]), ("대구", ["\u{7}대구"]), ("\u{1B}\u{0}대", ["\u{7}대구"]),
      ] {
        var query = ProductQuery()
        query.place = beginning
        try promise(try await repository.names(query), is: places)
        guard let place = places.first else { continue }
        query.phrases = [place]
        try promise(try await repository.names(query), is: [place])
      }
      // In which nothing can be looked for.
      for nothing in ["", " ", "\u{0}", "\u{7}\u{A0}\n"] {
        var query = ProductQuery()
        query.place = nothing
        let total = try await repository.total(of: query)
        try promise(total == .exactly(12), "\(total) at \(nothing.unicodeScalars)")
      }
    },
    RepositoryContract("a reservation ends with the last piece, and does not come back with others")
    {
      repository in
      var product = ProductRegistration.sample(name: "bike", stock: 2)
      (product.isReserved, product.place) = (true, "서울 마포구")
      let id = try await repository.register(product).id
      func edit(_ patch: ProductPatch) async throws -> Set<ProductFilter> {
        let detail = try await repository.update(
          id, with: patch, password: Password("secret"), by: .guest, expecting: nil)
        try promise(try await repository.detail(of: id), is: detail)
        try promise(detail.product.place, is: "서울 마포구")
        var passed: Set<ProductFilter> = []
        for filter in ProductFilter.allCases {
          let names = try await repository.names(ProductQuery(filters: [filter]))
          try promise(names.isEmpty != filter.passes(detail.product), "\(filter) after \(patch)")
          if !names.isEmpty { passed.insert(filter) }
        }
        return passed
      }
      var reserving = ProductPatch()
      reserving.isReserved = true
      var both = ProductPatch(stock: 3)
      both.isReserved = true
      var ending = ProductPatch()
      ending.isReserved = false

      try promise(try await edit(ProductPatch(name: "road bike")), is: [.inStock, .reserved])
      try promise(try await edit(ProductPatch(stock: 0)), is: [.unreserved, .sold])
      try promise(try await edit(reserving), is: [.unreserved, .sold])
      try promise(
        try await edit(ProductPatch(stock: 5)), is: [.inStock, .available, .unreserved])
      try promise(try await edit(reserving), is: [.inStock, .reserved])
      both.stock = 0
      try promise(try await edit(both), is: [.unreserved, .sold])
      both.stock = 3
      try promise(try await edit(both), is: [.inStock, .reserved])
      try promise(try await edit(ending), is: [.inStock, .available, .unreserved])

      product.stock = 0
      try promise(try await repository.register(product).product.isReserved, is: false)
    },
    RepositoryContract("every page of every filter is what all products at hand say") {
      repository in
      var random = SeededRandom(seed: 35)
      for number in 1...60 {
        _ = try await repository.register(
          .random(number, by: &random), by: number % 3 == 0 ? .named("00000000000a") : .guest)
      }
      let all = try await repository.page(PageRequest(size: 100)).products
      try promise(all.count, is: 60)

      for _ in 1...60 {
        let query = ProductQuery.random(among: all, by: &random)
        let sieve = ProductFilterEvaluator(query, parts: query.parts)
        let expected = all.filter(sieve.keeps).sorted { query.places($0, before: $1) }
        let size = Int.random(in: 2...9, using: &random)

        let names = try await repository.allNames(query, size: size)
        try promise(names == expected.map(\.name), "\(names) by \(query)")
        let total = try await repository.total(of: query)
        try promise(total == .exactly(expected.count), "\(total) by \(query)")
        let second = PageRequest(query: query, position: .number(2), size: size)
        try promise(
          try await repository.page(second).products.map(\.name),
          is: Array(expected.map(\.name).dropFirst(size).prefix(size)))
      }
    },
  ]
}

/// Fields with a choice of words, each with its words.
private let choiceFields = ProductField.choices.filter { $0 != .currency }
  .map { ($0, $0.kind.words ?? []) }

extension ProductRegistration {
  fileprivate static func random(
    _ number: Int, by random: inout SeededRandom
  ) -> ProductRegistration {
    let words = ["bike", "lamp", "desk"].randomElement(using: &random) ?? ""
    var product = sample(
      name: "\(words) \(number)", price: .random(in: 1...9, using: &random) * 100,
      discount: .random(in: 0...2, using: &random) * 10,
      currency: Bool.random(using: &random) ? .krw : .usd, stock: .random(in: 0...2, using: &random)
    )
    for (field, names) in choiceFields {
      let name = ([nil] + names.prefix(3).map(Optional.some)).randomElement(using: &random) ?? nil
      product.set([field: name.map(FieldValue.code) ?? .absent])
    }
    let places = [nil, "서울 마포구", "서울 종로구", "서귀포시", "Seoul, Mapo"]
    product.place = places.randomElement(using: &random) ?? nil
    product.isReserved = Bool.random(using: &random)
    return product
  }
}

extension ProductQuery {
  fileprivate static func random(
    among products: [Product], by random: inout SeededRandom
  ) -> ProductQuery {
    func sometimes(_ random: inout SeededRandom) -> Bool {
      Int.random(in: 0..<3, using: &random) == 0
    }
    var query = ProductQuery(order: ProductOrder.allCases.randomElement(using: &random) ?? .newest)
    query.filters = Set(
      ProductFilter.allCases.filter { _ in Int.random(in: 0..<5, using: &random) == 0 })
    // One parameter of the API says one of them.
    if query.filters.contains(.reserved) { query.filters.remove(.unreserved) }
    let place = ["서", "서울", "서울마", "마", "s", "seoul, m", "mapo"].randomElement(using: &random)
    if sometimes(&random) { query.place = place ?? "" }
    for (field, names) in choiceFields where sometimes(&random) {
      query.choices[field] = Set(names.prefix(.random(in: 1...2, using: &random)))
    }
    if sometimes(&random) { query.currency = .krw }
    if sometimes(&random) { query.text = "bike" }
    if sometimes(&random) { query.without = ["lamp"] }
    if sometimes(&random) { query.price.maximum = 50_000 }
    let seller = products.map(\.seller).filter { $0.id != Seller.guest.id }
      .randomElement(using: &random)
    if sometimes(&random) { query.sellers = [seller?.id].compactMap(\.self) }
    return query
  }
}

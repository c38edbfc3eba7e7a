import MarketModel

extension RepositoryContract {
  static let reading = [
    RepositoryContract("an empty market is one empty page") { repository in
      let page = try await repository.page(PageRequest())

      try promise(page, is: ProductPage(products: [], total: .exactly(0), next: nil))
    },
    RepositoryContract("pages by cursor hold each product once, in each order and filter") {
      repository in
      try await repository.fill()
      for query in ProductQuery.all {
        let whole = try await repository.names(query, size: 1_000)

        let paged = try await repository.allNames(query, size: 3)

        try promise(paged, is: whole)
      }
    },
    RepositoryContract("a brief page has all that a printed line says") { repository in
      try await repository.fill()
      for query in ProductQuery.all {
        var request = PageRequest(query: query, size: 1_000)
        let whole = try await repository.page(request)
        request.isBrief = true

        let brief = try await repository.page(request)

        try promise(brief.products.map(\.printed), is: whole.products.map(\.printed))
      }
    },
    RepositoryContract("pages by number are the same pages") { repository in
      try await repository.fill()
      for query in ProductQuery.all {
        let whole = try await repository.page(PageRequest(query: query, size: 1_000))
        var numbered: [Product] = []
        for number in 1...8 {
          let request = PageRequest(query: query, position: .number(number), size: 5)
          numbered += try await repository.page(request).products
        }

        try promise(numbered.map(\.id), is: whole.products.map(\.id))
        try promise(whole.total, is: .exactly(whole.products.count))
      }
    },
    RepositoryContract("orders are as they are called") { repository in
      for (name, price, discount, currency, stock) in [
        ("dear", 9_000, 1, Currency.krw, 3), ("cheap", 100, 0, .krw, 1),
        ("sold for less", 50, 0, .krw, 0), ("half", 5_000, 2_500, .krw, 2),
        ("dollar", 5, 0, .usd, 1),
        ("sold reduced", 9_000, 6_000, .usd, 0), ("also cheap", 100, 0, .krw, 9),
      ] {
        _ = try await repository.register(
          .sample(
            name: name, price: Int64(price), discount: Int64(discount), currency: currency,
            stock: Int64(stock)))
      }

      for (order, inStock, soldOut) in [
        (.cheapest, ["also cheap", "cheap", "half", "dear", "dollar"], Self.sold),
        (.priceDescending, ["dear", "half", "also cheap", "cheap", "dollar"], Self.sold),
        (
          .biggestDiscount, ["half", "dear", "also cheap", "dollar", "cheap"],
          Array(Self.sold.reversed())
        ),
      ] as [(ProductOrder, [String], [String])] {
        try promise(try await repository.names(ProductQuery(order: order)), is: inStock + soldOut)
      }
      try promise(
        try await repository.names(),
        is: [
          "also cheap", "sold reduced", "dollar", "half", "sold for less", "cheap", "dear",
        ])
    },
    RepositoryContract("pages of random products are the order, by cursor and by number") {
      repository in
      var random = SeededRandom(seed: 28)
      let products = try await repository.fillAtRandom(&random)
      for query in ProductQuery.all.flatMap(\.narrowed) {
        let names = query.names(of: products)

        let paged = try await repository.allNames(query, size: .random(in: 1...9, using: &random))
        let size = Int.random(in: 1...9, using: &random)
        var numbered: [String] = []
        for number in 1...products.count / size + 1 {
          let request = PageRequest(query: query, position: .number(number), size: size)
          numbered += try await repository.page(request).products.map(\.name)
        }

        try promise(paged, is: names)
        try promise(numbered, is: names)
      }
    },
    RepositoryContract("what sells out moves behind what is in stock") { repository in
      for (number, stock) in zip(Int64(1)..., [3, 1, 0, 2] as [Int64]) {
        _ = try await repository.register(
          .sample(name: "\(number)", price: number * 100, stock: stock))
      }
      let query = ProductQuery(order: .cheapest)
      let first = try await repository.page(PageRequest(query: query, size: 1))

      _ = try await repository.update(
        first.products[0].id, with: ProductPatch(stock: 0), password: Password("secret"),
        by: .guest, expecting: nil)
      let rest = try await repository.page(
        PageRequest(query: query, position: first.next ?? .first))

      try promise(first.products.map(\.name), is: ["1"])
      try promise(try await repository.names(query), is: ["2", "4", "1", "3"])
      // As any product that moves towards the end while it is paged to.
      try promise(rest.products.map(\.name), is: ["2", "4", "1", "3"])
    },
    RepositoryContract("a page past the end is empty and knows the total") { repository in
      _ = try await repository.register(.sample())

      for number in [2, 1_000, Int.max] {
        let page = try await repository.page(PageRequest(position: .number(number)))
        try promise(page, is: ProductPage(products: [], total: .exactly(1), next: nil))
      }
    },
    RepositoryContract("a cursor still holds its place when its product is gone") { repository in
      for number in 1...6 { _ = try await repository.register(.sample(name: "\(number)")) }
      let first = try await repository.page(PageRequest(size: 2))
      let last = try await repository.delete(
        first.products[1].id, password: Password("secret"), by: .guest)

      let position = first.next ?? .first
      let second = try await repository.page(PageRequest(position: position, size: 2))

      try promise(last.product.name, is: "5")
      try promise(second.products.map(\.name), is: ["4", "3"])
    },
    RepositoryContract("a forged cursor is refused") { repository in
      _ = try await repository.register(.sample())

      for (order, texts) in [
        (.newest, ["", "n", "n.x", "n.1.2", "c.KRW.1", "' OR 1=1 --", "n.99999999999999999999"]),
        (
          .cheapest,
          ["n.1", "c.KRW.1", "C.KRW.1.-1", "C.2.KRW.1.-1", "C.-1.KRW.1.-1", "D.0.KRW.1.-1"]
        ),
      ] as [(ProductOrder, [String])] {
        for text in texts {
          let position = PagePosition.after(PageCursor(rawValue: text))
          try await promise(.unknownCursor) { () throws(RepositoryError) in
            try await repository.page(
              PageRequest(query: ProductQuery(order: order), position: position))
          }
        }
      }
    },
    RepositoryContract("a product that is not there is not found") { repository in
      try await promise(.notFound) { () throws(RepositoryError) in
        try await repository.detail(of: Product.ID(rawValue: 77))
      }
    },
  ]
}

extension RepositoryContract {
  private static let sold = ["sold for less", "sold reduced"]
}

extension ProductQuery {
  /// The query, and the same for a word and for a price.
  fileprivate var narrowed: [ProductQuery] {
    var (word, price) = (self, self)
    word.text = "lamp"
    price.price.minimum = 150_000
    return [self, word, price]
  }

  fileprivate func names(of all: [ProductDetail]) -> [String] {
    all.filter { $0.matches(self) }.map(\.product).sorted(by: order.places).map(\.name)
  }

  /// Each order with each set of filters.
  static var all: [ProductQuery] {
    ProductOrder.allCases.flatMap { order in
      [[], [.inStock], [.reduced], [.inStock, .reduced]].map { filters in
        ProductQuery(order: order, filters: filters)
      }
    }
  }
}

extension ProductRepository {
  /// Registers products of few prices, in stock or not, of which each other is a lamp.
  fileprivate func fillAtRandom(_ random: inout SeededRandom) async throws -> [ProductDetail] {
    var details: [ProductDetail] = []
    for number in 1...60 {
      let price = Int64.random(in: 1...4, using: &random) * 1_000
      details.append(
        try await register(
          .sample(
            name: number % 2 == 0 ? "lamp \(number)" : "mug \(number)", price: price,
            discount: Bool.random(using: &random)
              ? 0 : .random(in: 0...price / 500, using: &random) * 500,
            currency: Bool.random(using: &random) ? .krw : .usd,
            stock: Bool.random(using: &random) ? 0 : .random(in: 1...3, using: &random),
            pictures: [PictureFile.jpeg()])))
    }
    return details
  }

  /// Registers thirty products that differ in everything that orders and filters look at, of which
  /// some are deleted again.
  func fill() async throws {
    for number in Int64(1)...30 {
      let detail = try await register(
        .sample(
          name: "\(number)", price: 1_000 + number % 4 * 500, discount: number % 3 * 100,
          currency: number % 5 == 0 ? .usd : .krw, stock: number % 2))
      if number % 7 == 0 {
        _ = try await delete(detail.id, password: Password("secret"), by: .guest)
      }
    }
  }
}

extension Product {
  /// The product without what a printed line leaves out.
  fileprivate var printed: Product {
    var printed = self
    printed.seller.name = ""
    (printed.category, printed.condition, printed.place) = (nil, nil, nil)
    (printed.changed, printed.thumbnail) = (created, nil)
    return printed
  }
}

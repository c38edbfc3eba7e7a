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
      for (name, price, discount, currency) in [
        ("dear", 9_000, 1, Currency.krw), ("cheap", 100, 0, .krw), ("half", 5_000, 2_500, .krw),
        ("dollar", 5, 0, .usd), ("also cheap", 100, 0, .krw),
      ] {
        _ = try await repository.register(
          .sample(name: name, price: Int64(price), discount: Int64(discount), currency: currency))
      }

      for (order, names) in [
        (ProductOrder.newest, ["also cheap", "dollar", "half", "cheap", "dear"]),
        (.cheapest, ["also cheap", "cheap", "half", "dear", "dollar"]),
        (.priceDescending, ["dear", "half", "also cheap", "cheap", "dollar"]),
        (.biggestDiscount, ["half", "dear", "also cheap", "dollar", "cheap"]),
      ] {
        try promise(try await repository.names(ProductQuery(order: order)), is: names)
      }
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

      for text in ["", "n", "n.x", "n.1.2", "c.KRW.1", "' OR 1=1 --", "n.99999999999999999999"] {
        let position = PagePosition.after(PageCursor(rawValue: text))
        try await promise(.unknownCursor) { () throws(RepositoryError) in
          try await repository.page(PageRequest(position: position))
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

extension ProductQuery {
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

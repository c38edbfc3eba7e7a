import MarketModel

/// The paths of v2, written and read by one definition.
enum ProductsRoute: Hashable {
  /// `/healthChecker`
  case health
  /// `/api/products`
  case products
  /// `/api/products/:id`, where the last segment may also be a deletion token.
  case product(String)
  /// `/api/products/:id/secret` or `/archived`
  case deletion(Product.ID, ProductsDialect.Variant)
  /// `/api/products/:id/:key`
  case keyedDeletion(Product.ID, String)
  /// `/api/sellers/me`, our addition.
  case seller

  static func product(_ id: Product.ID) -> ProductsRoute { .product(String(id.rawValue)) }

  /// `/api/products/:id/:token`, or `/api/products/:token` where only the token is known.
  static func deletion(by token: String, of id: Product.ID?) -> ProductsRoute {
    id.map { .keyedDeletion($0, token) } ?? .product(token)
  }

  var target: RequestTarget {
    switch self {
    case .health: "/healthChecker"
    case .products: "/api/products"
    case .product(let word): RequestTarget(segments: ["api", "products", word])
    case .deletion(let id, let year):
      RequestTarget(segments: ["api", "products", String(id.rawValue), Self.word(of: year)])
    case .keyedDeletion(let id, let key):
      RequestTarget(segments: ["api", "products", String(id.rawValue), key])
    case .seller: "/api/sellers/me"
    }
  }

  /// Reads the segments of a path; nil for a path of another dialect.
  init?(segments: [String], method: HTTPMethod) {
    let heads = segments.prefix(2).map { $0.lowercased() }
    switch (heads, segments.count) {
    case (["healthchecker"], 1): self = .health
    case (["api", "products"], 2): self = .products
    case (["api", "products"], 3): self = .product(segments[2])
    case (["api", "products"], 4):
      guard let id = Product.ID(segment: segments[2]) else { return nil }
      if method != .delete,
        let year = ProductsDialect.Variant.allCases.first(where: {
          Self.word(of: $0) == segments[3]
        })
      {
        self = .deletion(id, year)
      } else {
        self = .keyedDeletion(id, segments[3])
      }
    case (["api", "sellers"], 3) where segments[2] == "me": self = .seller
    default: return nil
    }
  }

  /// The last segment in the first step of a deletion.
  private static func word(of year: ProductsDialect.Variant) -> String {
    switch year {
    case .y2022: "secret"
    case .y2023: "archived"
    }
  }
}

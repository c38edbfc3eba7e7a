import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore

/// Does with a market file what the program and the server do with it.
package struct ForgedMarketVisit: Sendable {
  package static let password = Password("secret")
  package static let seller = Author.seller(SellerIdentifier(secret: "a-seller"))

  /// Everything that was refused, in order.
  package private(set) var failures: [RepositoryError] = []

  /// Opens the file and calls every operation on it; this ends for any content.
  package init(_ path: String) async {
    let store: SQLiteStore
    do {
      store = try await Self.open(path)
    } catch {
      failures = [error]
      return
    }
    await list(store)
    let ids = await search(store)
    for id in ids { await look(at: id, in: store) }
    await export(store)
    await serve(store, ids)
    for id in ids { await change(id, in: store) }
    await register(in: store)
    await store.close()
  }

  static func open(_ path: String) async throws(RepositoryError) -> SQLiteStore {
    try await SQLiteStore.open(
      at: path, pictureProcessor: UnchangedPictures(),
      options: SQLiteStore.Options(
        passwordCost: .least, busyMilliseconds: 100,
        now: { 1_700_000_000 }))
  }

  /// Bytes that pass for a picture file until they are decoded.
  static func picture(_ number: UInt8) -> [UInt8] { [0xFF, 0xD8, 0xFF, 0xE0, number, 0x2A] }

  private mutating func attempt<Answer>(
    _ body: () async throws(RepositoryError) -> Answer
  ) async -> Answer? {
    do throws(RepositoryError) {
      return try await body()
    } catch {
      failures.append(error)
      return nil
    }
  }

  // MARK: Reading

  private mutating func list(_ store: SQLiteStore) async {
    for order in ProductOrder.allCases {
      for filters in [[], [.inStock], [.inStock, .reduced]] as [Set<ProductFilter>] {
        let query = ProductQuery(order: order, filters: filters)
        var position = PagePosition.first
        for _ in 0..<3 {
          let request = PageRequest(query: query, position: position, size: 3)
          let page = await attempt { () throws(RepositoryError) in try await store.page(request) }
          guard let next = page?.next else { break }
          position = next
        }
        for number in [2, Int.max] {
          let request = PageRequest(query: query, position: .number(number), size: 2)
          _ = await attempt { () throws(RepositoryError) in try await store.page(request) }
        }
      }
    }
  }

  /// Products that a search or a list finds, and some with impossible ids.
  private mutating func search(_ store: SQLiteStore) async -> [Product.ID] {
    var ids: Set<Product.ID> = []
    let queries = [
      ProductQuery(), ProductQuery(text: "mug"), ProductQuery(text: "줄 m", order: .cheapest),
      ProductQuery(text: "m", filters: [.inStock], sellers: [Seller.ID(rawValue: 1)]),
      ProductQuery(sellers: [Seller.ID(rawValue: .min)]),
    ]
    for query in queries {
      let page = await attempt { () throws(RepositoryError) in
        try await store.page(PageRequest(query: query, size: 1_000))
      }
      ids.formUnion(page?.products.map(\.id) ?? [])
      _ = await attempt { () throws(RepositoryError) in try await store.exactTotal(of: query) }
    }
    let found = ids.sorted()
    let possible = [Int64.min, 1, 2, .max].map(Product.ID.init(rawValue:))
    return possible + (found.first.map { [$0] } ?? []) + found.suffix(1)
  }

  private mutating func look(at id: Product.ID, in store: SQLiteStore) async {
    let detail = await attempt { () throws(RepositoryError) in try await store.detail(of: id) }
    _ = await attempt { () throws(RepositoryError) in
      try await store.descriptions(of: [id], atMost: 1_000)
    }
    for picture in detail?.pictures ?? [] {
      for rendition in [PictureRendition.original, .thumbnail] {
        let locator = picture.locator(of: rendition)
        _ = await attempt { () throws(RepositoryError) in
          try await store.picture(at: locator, rendition)
        }
      }
    }
    _ = await attempt { () throws(RepositoryError) in
      try await store.verify(Self.password, for: id, by: .guest)
    }
  }

  private mutating func export(_ store: SQLiteStore) async {
    let snapshot = await attempt { () throws(RepositoryError) in try await store.snapshot() }
    guard let snapshot else { return }
    _ = await attempt { () throws(RepositoryError) in try await snapshot.productCount() }
    var last: Product.ID?
    for _ in 0..<10 {
      let products = await attempt { () throws(RepositoryError) in
        try await snapshot.products(after: last, atMost: 3)
      }
      guard let final = products?.last else { return }
      for name in final.pictures {
        _ = await attempt { () throws(RepositoryError) in
          try await snapshot.file(ofPicture: name)
        }
      }
      last = final.id
    }
  }

  // MARK: Serving

  private func serve(_ store: SQLiteStore, _ ids: [Product.ID]) async {
    let responder = MarketResponder(
      store,
      MarketResponder.Options(
        publicAddress: .fixed("http://market.example"), now: { 1_700_000_000 }))
    let headers: HTTPHeaders = [HeaderName.identifier: "a-seller"]
    var requests: [(HTTPMethod, String, String)] = [
      (.get, "/api/products?items_per_page=1000", ""), (.get, "/api/products?page_no=2", ""),
      (.get, "/api/products?search_value=mug&sort=reduced", ""), (.get, "/items/1", ""),
      (.get, "/items/2", ""), (.get, "/api/sellers/me", ""),
      (.patch, "/api/sellers/me", #"{"name":"Barn"}"#),
    ]
    for id in ids.map(\.rawValue) {
      requests += [
        (.get, "/api/products/\(id)", ""), (.get, "/item/\(id)", ""),
        (.patch, "/item/\(id)", #"{"password":"wrong"}"#),
        (.patch, "/api/products/\(id)", #"{"secret":"secret","stock":7}"#),
        (.post, "/api/products/\(id)/archived", #"{"secret":"secret"}"#),
      ]
    }
    for (method, target, body) in requests {
      _ = await responder.response(
        to: ServerRequest(
          method, target, headers: headers, body: Array(body.utf8),
          from: RemoteClient(address: "192.0.2.1")))
    }
  }

  // MARK: Writing

  private mutating func change(_ id: Product.ID, in store: SQLiteStore) async {
    let patch = ProductPatch(
      name: "cup", priceHundredths: 50_000, discount: .amount(100), stock: 0,
      pictures: .list([.new(Self.picture(9))]))
    _ = await attempt { () throws(RepositoryError) in
      try await store.update(
        id, with: patch, password: Self.password, by: .guest, expecting: nil)
    }
    guard id.rawValue % 2 == 0 else { return }
    _ = await attempt { () throws(RepositoryError) in
      try await store.delete(id, password: Self.password, by: .guest)
    }
  }

  private mutating func register(in store: SQLiteStore) async {
    let registration = ProductRegistration(
      name: "plate", description: "", price: Money(hundredths: 100, currency: .usd), stock: 1,
      pictures: [Self.picture(1)], password: Self.password)
    for (author, key) in [(Author.guest, "new"), (Self.seller, "key 1")] {
      _ = await attempt { () throws(RepositoryError) in
        try await store.register(
          registration, by: author, key: IdempotencyKey(rawValue: key))
      }
    }
    guard case .seller(let identifier) = Self.seller else { return }
    _ = await attempt { () throws(RepositoryError) in try await store.seller(of: identifier) }
    _ = await attempt { () throws(RepositoryError) in
      try await store.rename(identifier, to: "New House")
    }
    _ = await attempt { () throws(RepositoryError) in
      try await store.authenticationCode(for: [1])
    }
    guard let price = Price(full: Money(hundredths: 1, currency: .krw)) else { return }
    let line = ArchivedProduct(
      seller: ArchivedSeller(id: nil, name: "somebody new"), name: "fork", price: price, stock: 1,
      created: 0, changed: 0)
    _ = await attempt { () throws(RepositoryError) in
      let run = try await store.beginImport()
      var batch = ImportBatch()
      batch.products = [IncomingProduct(identity: [1], product: line)]
      _ = try await run.prepare(batch)()
      try await run.finish()
    }
  }
}

/// Takes picture files as they are.
private struct UnchangedPictures: PictureProcessor {
  func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture {
    PreparedPicture(
      bytes: bytes, format: .jpeg, size: PixelSize(width: 8, height: 8), thumbnail: bytes)
  }
}

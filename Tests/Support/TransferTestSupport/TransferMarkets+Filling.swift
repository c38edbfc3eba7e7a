import MarketModel
import StoreCore
import TestSupport

extension TransferMarkets {
  /// A market with every kind of thing that a file has to carry.
  package func fill(_ store: any StoredMarket) async throws {
    let ana = Author.seller(SellerIdentifier(secret: "1b4e28ba-2fa1-11d2-883f-0016d3cca427"))
    _ = try await store.register(.sample(name: "mug"))
    _ = try await store.register(
      .sample(
        name: "\"quoted\", 한글\u{1b}[31m\u{202e}\r\nx\u{0}y", description: " a\n\nb,\"c\" \u{2028}",
        pictures: [PictureFile.jpeg(1), PictureFile.jpeg(2)]),
      by: ana, key: IdempotencyKey(rawValue: "1"))
    let gone = try await store.register(.sample(name: "gone"))
    let changed = try await store.register(
      .sample(name: "lamp", pictures: [PictureFile.jpeg(2)]), by: ana,
      key: IdempotencyKey(rawValue: "2"))
    _ = try await store.update(
      changed.id, with: ProductPatch(stock: 0), password: Password("secret"), by: ana,
      expecting: nil)
    _ = try await store.delete(gone.id, password: Password("secret"), by: .guest)
    let hash = try await PasswordHasher(cost: .least).hash(Password("openmarket"))
    let full = Money(hundredths: 1_250, currency: .usd)
    guard let price = Price(full: full, discountHundredths: 5) else {
      throw UnexpectedError(description: "no price")
    }
    let seed = (0..<5).map { number in
      ArchivedProduct(
        seller: "Shop \(number % 2)", name: "seed \(number)", description: "", price: price,
        stock: 1 << 53, created: Int64(number), pictures: [])
    }
    try await store.seed(SeedMarket(products: seed, pictures: [], passwordHash: hash))
  }
}

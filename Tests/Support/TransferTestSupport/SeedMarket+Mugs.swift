import MarketModel
import StoreCore
import TestSupport

extension PreparedPicture {
  /// A picture of a few bytes; another one for each `number`.
  package static func plain(_ number: UInt8) -> PreparedPicture {
    PreparedPicture(
      bytes: PictureFile.jpeg(number), format: .jpeg, size: PixelSize(width: 8, height: 8),
      thumbnail: [number])
  }
}

extension SeedMarket {
  /// Mugs of two shops with two of three pictures each, whose password is *market*.
  package static func mugs(_ count: Int) async throws -> SeedMarket {
    let full = Money(hundredths: 1_000_000, currency: .krw)
    guard let price = Price(full: full) else { throw UnexpectedError(description: "no price") }
    let products = (0..<count).map { number in
      ArchivedProduct(
        seller: "Shop \(number % 2)", name: "mug \(number)", description: "Blue.", price: price,
        stock: 1, created: Int64(number), pictures: [number % 3, (number + 1) % 3])
    }
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    return SeedMarket(
      products: products, pictures: (0..<3).map { .plain($0) }, passwordHash: hash)
  }
}

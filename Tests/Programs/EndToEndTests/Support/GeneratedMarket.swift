import MarketModel
import MarketStore
import SafeTextKit
import StoreCore
import TestSupport

/// Products to open the program with.
struct GeneratedMarket {
  var products: [ArchivedProduct]

  /// Products “Ware 001” and so on, the newest first: number 1 stands at the top.
  ///
  /// So many `letters` follow in each name and are the seller's, other ones than in the next.
  static func rows(_ count: Int, of letters: Int = 0) -> GeneratedMarket {
    GeneratedMarket(
      products: (1...count).reversed().map { number in
        let text = String(repeating: ["a", "b", "c", "d", "e"][number % 5], count: letters)
        return .trial(
          name: "Ware " + "00\(number)".suffix(3) + text,
          seller: text.isEmpty ? "Someone" : text, price: Int64(number) * 1_000)
      })
  }

  func write(to path: String) async throws {
    let market = SeedMarket(products: products, pictures: [.trial], passwordHash: "")
    _ = try await SQLiteStore.open(
      at: path, pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(createsFile: true),
      filledWith: { market })
  }
}

extension ArchivedProduct {
  static func trial(
    name: String, description: String = "As good as new.", seller: String = "Someone",
    price: Int64 = 10_000, discount: Int64 = 0
  ) -> ArchivedProduct {
    let money = Money(hundredths: price * 100, currency: .krw)
    guard let price = Price(full: money, discountHundredths: discount * 100) else {
      preconditionFailure("a trial's price keeps the rules")
    }
    return ArchivedProduct(
      seller: seller, name: name, description: description, price: price, stock: 3,
      created: 1_700_000_000, pictures: [0])
  }
}

extension PreparedPicture {
  /// Nothing that can be decoded: the program shows its fallback.
  static let trial = PreparedPicture(
    bytes: PictureFile.jpeg(), format: .jpeg, size: PixelSize(width: 8, height: 8),
    thumbnail: PictureFile.jpeg())
}

import Glibc
import MarketModel
import MarketStore
import PictureKit
import SafeTextKit
import StoreCore

/// A store in which every product has a picture of its own, as generated stores do not: only so do
/// caches fill.
enum PictureMarket {
  static let productCount = 5_000
  private static let size = PixelSize(width: 240, height: 180)

  /// Makes the file if it is not there.
  static func make(at path: String) async throws {
    guard access(path, R_OK) != 0 else { return }
    let processor = UploadPreparer()
    let options = SQLiteStore.Options(createsFile: true)
    let market = try seed()
    _ = try await SQLiteStore.open(
      at: path + ".new", pictureProcessor: processor, options: options, filledWith: { market })
    rename(path + ".new", path)
  }

  private static func seed() throws -> SeedMarket {
    let price = Price(full: Money(hundredths: 1_000_000, currency: .krw), discountHundredths: 0)
    guard let price else { throw BenchError.preparationFailed("a price") }
    let pictures = try (0..<productCount).map { number in
      let file = try photo(number)
      return PreparedPicture(bytes: file, format: .jpeg, size: size, thumbnail: file)
    }
    let products = (0..<productCount).map { number in
      ArchivedProduct(
        seller: "Bench", name: "Picture \(number)", description: "A picture.", price: price,
        stock: 1, created: 1_700_000_000, pictures: [number])
    }
    return SeedMarket(products: products, pictures: pictures, passwordHash: "")
  }

  /// A picture file, another one for each number.
  static func photo(_ number: Int) throws -> [UInt8] {
    try PictureEncoder.jpeg(bitmap(number), quality: 80)
  }

  /// Slanted stripes; another slant and other colours for each number.
  private static func bitmap(_ number: Int) -> Bitmap {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.pixelCount * 4)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let stripe = column * (number % 7 + 1) + row * (number % 11 + 1) + number
        pixels += [UInt8(stripe % 256), UInt8(stripe / 3 % 256), UInt8(number % 251), 255]
      }
    }
    return Bitmap(size: size, pixels: pixels)
  }
}

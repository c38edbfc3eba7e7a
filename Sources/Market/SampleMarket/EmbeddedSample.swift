internal import CSampleMarket
import MarketModel

/// Market that a first start is filled with; its data is inside the binary.
package enum EmbeddedSample {
  /// The same products and pictures in the words of one language.
  package enum Edition: CaseIterable, Sendable {
    case korean
    case english
  }

  /// Password with which every sample product is changed and deleted; no secret.
  package static let password = "openmarket"

  /// Argon2id of `password` at 19 MiB and 2 passes, as libsodium writes it.
  package static let passwordHash =
    "$argon2id$v=19$m=19456,t=2,p=1$Wo0tVpaXv+uikB8WH+lwWA"
    + "$BWC0UZbrvbq7RBeDqcIm87dX48fpdOiK0QBnL7T/8h8"

  /// Unpacks the market, oldest product first, so that ids given in this order rise with the dates.
  package static func products(in edition: Edition) -> [SampleProduct] {
    var reader = PackedReader(start: CSampleMarket_bytes(), count: CSampleMarket_count())
    let products = reader.readProducts()
    switch edition {
    case .korean: return products
    case .english:
      var english = PackedReader(
        start: CSampleMarket_englishBytes(), count: CSampleMarket_englishCount())
      return english.readWords(of: products)
    }
  }
}

/// Product of the sample market, before a store gives it an id, a seller and a date.
package struct SampleProduct: Sendable {
  fileprivate(set) package var name: String
  fileprivate(set) package var description: String
  /// The same name is the same seller.
  fileprivate(set) package var sellerName: String
  fileprivate(set) package var price: Price
  package let stock: Int64
  /// Seconds between its registration and the moment a market is filled, so that a new market is
  /// never stale: from some seconds to two years.
  package let ageSeconds: Int64
  /// 1 to 5; the first is the thumbnail.
  package let pictures: [PreparedPicture]
}

/// Reader of `sample.bin` and `english.bin` in `Resources/sample`; `pack.py` beside them describes
/// their form.
///
/// The files are part of the binary, so what does not fit its form is a mistake of the build and
/// traps.
private struct PackedReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// Takes the whole file, alive while this reads.
  init(start: UnsafePointer<UInt8>?, count: Int) {
    bytes = UnsafeRawBufferPointer(start: start, count: count)
  }

  mutating func readProducts() -> [SampleProduct] {
    precondition(take(4).elementsEqual("OMS1".utf8), "the sample market has an unknown form")
    let products = (0..<count()).map { _ in product() }
    precondition(offset == bytes.count, "the sample market ends where its products do")
    return products
  }

  /// The products of `sample.bin` in other words.
  mutating func readWords(of products: [SampleProduct]) -> [SampleProduct] {
    precondition(take(4).elementsEqual("OME1".utf8), "the words have an unknown form")
    precondition(count() == products.count, "every sample product has its words")
    let translated = products.map { product in
      var translated = product
      translated.name = text()
      translated.description = text()
      translated.sellerName = text()
      translated.price = price()
      return translated
    }
    precondition(offset == bytes.count, "the words end where the products do")
    return translated
  }

  private mutating func product() -> SampleProduct {
    SampleProduct(
      name: text(), description: text(), sellerName: text(), price: price(), stock: number(),
      ageSeconds: number(), pictures: (0..<count()).map { _ in picture() })
  }

  private mutating func price() -> Price {
    let currency = Currency(rawValue: text())
    let full = Money(hundredths: number(), currency: currency)
    guard let price = Price(full: full, discountHundredths: number()) else {
      preconditionFailure("a sample product has a valid price")
    }
    return price
  }

  private mutating func picture() -> PreparedPicture {
    let size = PixelSize(width: count(), height: count())
    let file = Array(take(count()))
    guard let format = PictureFormat(sniffing: file) else {
      preconditionFailure("a sample picture has a known format")
    }
    return PreparedPicture(
      bytes: file, format: format, size: size, thumbnail: Array(take(count())))
  }

  private mutating func text() -> String {
    String(decoding: take(count()), as: UTF8.self)
  }

  private mutating func count() -> Int {
    Int(UInt32(littleEndian: take(4).loadUnaligned(as: UInt32.self)))
  }

  private mutating func number() -> Int64 {
    Int64(littleEndian: take(8).loadUnaligned(as: Int64.self))
  }

  private mutating func take(_ length: Int) -> UnsafeRawBufferPointer {
    defer { offset += length }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
  }
}

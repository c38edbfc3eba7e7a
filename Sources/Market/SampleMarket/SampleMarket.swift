internal import CSampleMarket
import MarketModel

/// Market that a first start is filled with; its data is inside the binary.
package enum SampleMarket {
  /// Password with which every sample product is changed and deleted; no secret.
  package static let password = "openmarket"

  /// Argon2id of `password` at 19 MiB and 2 passes, as libsodium writes it.
  package static let passwordHash =
    "$argon2id$v=19$m=19456,t=2,p=1$Wo0tVpaXv+uikB8WH+lwWA"
    + "$BWC0UZbrvbq7RBeDqcIm87dX48fpdOiK0QBnL7T/8h8"

  /// Unpacks the market, oldest product first, so that ids given in this order rise with the dates.
  package static func products() -> [SampleProduct] {
    let bytes = UnsafeRawBufferPointer(start: CSampleMarket_bytes(), count: CSampleMarket_count())
    var reader = PackedReader(bytes)
    return reader.readProducts()
  }
}

/// Product of the sample market, before a store gives it an id, a seller and a date.
package struct SampleProduct: Sendable {
  package let name: String
  package let description: String
  /// The same name is the same seller.
  package let sellerName: String
  package let price: Price
  package let stock: Int64
  /// Seconds between its registration and the moment a market is filled, so that a new market is
  /// never stale: from some seconds to two years.
  package let ageSeconds: Int64
  /// 1 to 5; the first is the thumbnail.
  package let pictures: [PreparedPicture]
}

/// Reader of `Resources/sample/sample.bin`; `pack.py` beside it describes the form.
///
/// The file is part of the binary, so what does not fit its form is a mistake of the build and
/// traps.
private struct PackedReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// Takes the whole file, alive while this reads.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  mutating func readProducts() -> [SampleProduct] {
    precondition(take(4).elementsEqual("OMS1".utf8), "the sample market has an unknown form")
    let products = (0..<count()).map { _ in product() }
    precondition(offset == bytes.count, "the sample market ends where its products do")
    return products
  }

  private mutating func product() -> SampleProduct {
    let name = text()
    let description = text()
    let seller = text()
    let currency = Currency(rawValue: text())
    let full = Money(hundredths: number(), currency: currency)
    guard let price = Price(full: full, discountHundredths: number()) else {
      preconditionFailure("a sample product has a valid price")
    }
    return SampleProduct(
      name: name, description: description, sellerName: seller, price: price, stock: number(),
      ageSeconds: number(), pictures: (0..<count()).map { _ in picture() })
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

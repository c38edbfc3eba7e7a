internal import CSampleMarket
import MarketModel

/// Sample market for the first start, embedded in the binary.
package enum EmbeddedSample {
  /// Language of the texts; products and pictures are the same.
  package enum Edition: CaseIterable, Sendable {
    case korean
    case english
  }

  /// Password of all sample products; no secret.
  package static let password = "openmarket"

  /// Argon2id hash of `password` with 19 MiB and 2 passes, in libsodium's format.
  package static let passwordHash =
    "$argon2id$v=19$m=19456,t=2,p=1$Wo0tVpaXv+uikB8WH+lwWA"
    + "$BWC0UZbrvbq7RBeDqcIm87dX48fpdOiK0QBnL7T/8h8"

  /// Unpacks the products, the oldest first, so that ids assigned in this order ascend with the
  /// dates.
  ///
  /// `now` is the time of the fill, in seconds since 1970.
  package static func products(in edition: Edition, now: Int64 = 0) -> [SampleProduct] {
    var reader = PackedReader(start: CSampleMarket_bytes(), count: CSampleMarket_count())
    let products = reader.readProducts(now: now)
    switch edition {
    case .korean: return products
    case .english:
      var english = PackedReader(
        start: CSampleMarket_englishBytes(), count: CSampleMarket_englishCount())
      return english.readWords(of: products)
    }
  }
}

package struct SampleProduct: Sendable {
  /// Product without its pictures; equal names are the same seller.
  ///
  /// It was listed some seconds to two years before `now`, so that a new market looks current.
  fileprivate(set) package var product: ArchivedProduct
  /// 1 to 5 pictures; the first is the thumbnail.
  package let pictures: [PreparedPicture]
}

/// Reader of `sample.bin` and `english.bin` in `Resources/sample`, whose format `pack.py` there
/// describes.
///
/// The files are part of the binary, so invalid content is a build error and traps.
private struct PackedReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// Wraps a file, which must outlive the reader.
  init(start: UnsafePointer<UInt8>?, count: Int) {
    bytes = UnsafeRawBufferPointer(start: start, count: count)
  }

  mutating func readProducts(now: Int64) -> [SampleProduct] {
    precondition(read(4).elementsEqual("OMS2".utf8), "the sample market has an unknown form")
    let products = (0..<count()).map { _ in product(now: now) }
    precondition(offset == bytes.count, "the sample market ends where its products do")
    return products
  }

  /// Returns the products with the texts of another language.
  mutating func readWords(of products: [SampleProduct]) -> [SampleProduct] {
    precondition(read(4).elementsEqual("OME2".utf8), "the words have an unknown form")
    precondition(count() == products.count, "every sample product has its words")
    let translated = products.map { product in
      var translated = product
      translated.product.set(fieldValues())
      translated.product.seller.name = text()
      return translated
    }
    precondition(offset == bytes.count, "the words end where the products do")
    return translated
  }

  private mutating func product(now: Int64) -> SampleProduct {
    let values = fieldValues()
    let seller = ArchivedSeller(id: nil, name: text())
    let created = now - number()
    guard var product = ArchivedProduct(values, created: created, changed: created) else {
      preconditionFailure("a sample product has a valid price")
    }
    product.seller = seller
    return SampleProduct(product: product, pictures: (0..<count()).map { _ in picture() })
  }

  private mutating func fieldValues() -> FieldValues {
    var values: FieldValues = [:]
    for _ in 0..<count() {
      guard let field = ProductField(rawValue: text()) else {
        preconditionFailure("a sample product has known fields")
      }
      switch field.kind {
      case .line, .text: values[field] = .text(text())
      case .currency, .choice: values[field] = .code(text())
      case .flag: values[field] = FieldValue(flag: text() == "yes")
      case .amount: values[field] = .amount(number())
      case .number: values[field] = .number(number())
      case .pictures, .password: preconditionFailure("a sample product has no such field")
      }
    }
    return values
  }

  private mutating func picture() -> PreparedPicture {
    let size = PixelSize(width: count(), height: count())
    let file = Array(read(count()))
    guard let format = PictureFormat(sniffing: file) else {
      preconditionFailure("a sample picture has a known format")
    }
    return PreparedPicture(
      bytes: file, format: format, size: size, thumbnail: Array(read(count())))
  }

  private mutating func text() -> String {
    String(decoding: read(count()), as: UTF8.self)
  }

  private mutating func count() -> Int {
    Int(UInt32(littleEndian: read(4).loadUnaligned(as: UInt32.self)))
  }

  private mutating func number() -> Int64 {
    Int64(littleEndian: read(8).loadUnaligned(as: Int64.self))
  }

  private mutating func read(_ length: Int) -> UnsafeRawBufferPointer {
    defer { offset += length }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
  }
}

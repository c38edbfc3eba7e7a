import MarketModel

/// Reads `Resources/sample/sample.bin`; `pack.py` beside it describes the form.
///
/// The file is part of the binary, so what does not fit its form is a mistake of the build and traps.
struct PackedReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// - Parameter bytes: the whole file, alive while this reads.
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

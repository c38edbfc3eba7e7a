import MarketModel

/// A version for products of servers that have none: a digest of everything an edit can change.
///
/// A change that is made and undone in between goes unseen, and does no harm.
enum ContentVersion {
  static func version(of detail: ProductDetail) -> ProductVersion {
    var digest = Digest()
    digest.add(detail.product.name)
    digest.add(detail.description)
    digest.add(String(detail.product.stock))
    if let price = detail.product.pricing.price {
      digest.add("\(price.full.hundredths) \(price.discountHundredths) \(price.currency.rawValue)")
    }
    for picture in detail.pictures { digest.add(picture.original) }
    return ProductVersion(rawValue: "content-" + String(digest.value, radix: 16))
  }

  /// FNV-1a in 64 bits: no secret depends on it, and it is the same in every run.
  private struct Digest {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds a text and a byte that no text holds, so that texts do not run into each other.
    mutating func add(_ text: String) {
      for byte in text.utf8 { add(byte) }
      add(0xFF)
    }

    private mutating func add(_ byte: UInt8) {
      value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }
  }
}

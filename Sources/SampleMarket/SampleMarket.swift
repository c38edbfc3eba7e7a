internal import CSampleMarket
import MarketModel

/// The market that a first start is filled with; its data is inside the binary.
package enum SampleMarket {
  /// What every sample product is changed and deleted with; no secret.
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

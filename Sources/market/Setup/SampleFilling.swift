import MarketModel
import SampleMarket
import StoreCore

/// The sample market as a store takes it in.
nonisolated enum SampleFilling {
  /// Takes the products in the order of the sample, oldest first, so that the newest gets the
  /// highest id; their ages are counted back from `now`, in seconds since 1970.
  static func seed(now: Int64) -> SeedMarket {
    var pictures: [PreparedPicture] = []
    let products = SampleMarket.products().map { sample in
      let places = sample.pictures.map { picture in
        pictures.append(picture)
        return pictures.count - 1
      }
      return SeedProduct(
        seller: sample.sellerName, name: sample.name, description: sample.description,
        price: sample.price, stock: sample.stock, created: now - sample.ageSeconds,
        pictures: places)
    }
    return SeedMarket(
      products: products, pictures: pictures, passwordHash: SampleMarket.passwordHash)
  }
}

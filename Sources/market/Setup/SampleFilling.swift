import MarketModel
import MarketStore
import SampleMarket

/// The sample market as a store takes it in.
nonisolated enum SampleFilling {
  /// - Parameter now: seconds since 1970 from which the products' ages are counted back.
  /// - Returns: the products, oldest first, since the newest has the highest id.
  static func seed(now: Int64) -> SeedMarket {
    var pictures: [PreparedPicture] = []
    let samples = SampleMarket.products().sorted { $0.ageSeconds > $1.ageSeconds }
    let products = samples.map { sample in
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

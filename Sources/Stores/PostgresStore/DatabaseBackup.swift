import MarketModel
import StoreCore

/// Backup of a database into a market file: its products at one moment with their dependent rows, without
/// transient data such as password attempts.
struct DatabaseBackup {
  private static let batchSize = 1_000

  let snapshot: StoreSnapshot
  let file: any MarketArchive

  /// Copies all products in batches; `show` receives the completed part, 0 to 1.
  /// - Throws: `.store` where the database or the file fails; `.cancelled`.
  func run(show: @Sendable (Double) -> Void) async throws(RepositoryError) {
    let total = try await snapshot.productCount()
    let target = try await file.beginImport()
    var last: Product.ID?
    var count = 0
    var copied = BoundedCache<String, Void>()
    while true {
      let products = try await snapshot.products(after: last, atMost: Self.batchSize)
      guard let final = products.last else { break }
      var batch = ImportBatch()
      for product in products {
        batch.products.append(
          IncomingProduct(
            identity: Array("\(product.id?.rawValue ?? 0)".utf8), product: product))
        for name in product.pictures where copied[name] == nil {
          if let picture = try await snapshot.picture(name) { batch.add(picture, named: name) }
          copied.remember((), for: name)
        }
        if batch.isFull {
          _ = try await target.prepare(batch)()
          batch = ImportBatch()
        }
      }
      _ = try await target.prepare(batch)()
      last = final.id
      count += products.count
      show(Double(count) / Double(max(1, total)))
    }
    try await target.finish()
  }
}

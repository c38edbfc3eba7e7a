import MarketModel
import StoreCore

/// Copies the products of a database as they are at one moment into a market file, with all that
/// belongs to them, but not what servers keep for themselves, as wrong attempts.
struct DatabaseBackup {
  private static let batchSize = 1_000

  let snapshot: PostgresSnapshot
  let file: any MarketArchive

  func run(show: @Sendable (Double) -> Void) async throws(RepositoryError) {
    let total = try await snapshot.productCount()
    let target = try await file.beginImport()
    var last: Product.ID?
    var count = 0
    var copied = RecentValues<String, Void>()
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

extension PostgresSnapshot {
  /// Both files of a picture; nil where they are missing.
  fileprivate func picture(_ name: String) throws(RepositoryError) -> PreparedPicture? {
    guard let original = try file(ofPicture: name, .original),
      let thumbnail = try file(ofPicture: name, .thumbnail)
    else { return nil }
    // A store keeps the bytes alone.
    return PreparedPicture(
      bytes: original, format: PictureFormat(sniffing: original) ?? .jpeg,
      size: PixelSize(width: 0, height: 0), thumbnail: thumbnail)
  }
}

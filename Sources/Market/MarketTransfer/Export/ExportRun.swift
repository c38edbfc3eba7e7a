import DispatchBridge
import Glibc
import MarketModel

/// Export of all products of a market, at one moment, to a file.
package actor ExportRun {
  /// Summary of a finished run.
  package struct Summary: Hashable, Sendable {
    package var products = 0
    /// Number of pictures left out because a pipe has no folder for them.
    package var picturesLeftOut = 0

    package init(products: Int = 0, picturesLeftOut: Int = 0) {
      self.products = products
      self.picturesLeftOut = picturesLeftOut
    }
  }

  private static let batchSize = 1_000

  private let executor = QueueExecutor(label: "market.export")
  private let path: String
  private let replaces: Bool
  private let archive: any MarketArchive
  private let show: @Sendable (TransferProgress) -> Void
  /// Names of picture files, by the market's names.
  private var pictureNames = BoundedCache<String, String>()
  private var summary = Summary()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// The path's extension determines the format; `-` is standard output.
  package init(
    to path: String, replaces: Bool, from archive: any MarketArchive,
    show: @escaping @Sendable (TransferProgress) -> Void
  ) {
    self.path = path
    self.replaces = replaces
    self.archive = archive
    self.show = show
  }

  /// Writes the file; after a failure neither the file nor its pictures are left.
  /// - Throws: `.market` where the market fails; what `NewFile` throws; `.file` or `.diskFull` for a
  ///   picture.
  package func run() async throws(TransferError) -> Summary {
    let format = ArchiveFormat(path: path)
    let folder = format == .lines && path != "-" ? LazyFolder(beside: path) : nil
    do throws(TransferError) {
      return try await run(format, folder)
    } catch {
      folder?.undo()
      throw error
    }
  }

  private func run(
    _ format: ArchiveFormat, _ folder: LazyFolder?
  ) async throws(TransferError) -> Summary {
    // Before the snapshot, since this call gives a copied market an id of its own.
    let own = try await market { () throws(RepositoryError) in try await archive.ownMarketID() }
    let snapshot = try await market { () throws(RepositoryError) in try await archive.snapshot() }
    let total = try await market { () throws(RepositoryError) in try await snapshot.productCount() }
    let file = try NewFile(path: path, replaces: replaces, copying: archive.ownFiles)
    let separator = path.lowercased().hasSuffix(".tsv") ? RecordReader.tab : RecordReader.comma
    if format == .table { try file.write(ProductTable.header(separator: separator)) }
    var last: Product.ID?
    while true {
      let products = try await market { () throws(RepositoryError) in
        try await snapshot.products(after: last, atMost: Self.batchSize)
      }
      guard let final = products.last else { break }
      try file.write(try await text(of: products, format, folder, snapshot, own, separator))
      last = final.id
      summary.products += products.count
      let share = Double(summary.products) / Double(max(1, total))
      show(TransferProgress(products: summary.products, share: share))
    }
    try file.publish()
    return summary
  }

  private func text(
    of products: [ArchivedProduct], _ format: ArchiveFormat, _ folder: LazyFolder?,
    _ snapshot: any MarketSnapshot, _ own: MarketID?, _ separator: UInt8
  ) async throws(TransferError) -> [UInt8] {
    var bytes: [UInt8] = []
    for product in products {
      switch format {
      case .table: bytes += ProductTable.bytes(product, of: own, separator: separator)
      case .lines:
        var names: [String] = []
        for picture in product.pictures {
          if let name = try await fileName(of: picture, folder, snapshot) { names.append(name) }
        }
        bytes += ProductLine.bytes(product, of: own, pictures: names)
      }
    }
    return bytes
  }

  /// The name of a picture's file, which is written on first use; nil where the market has lost it, or
  /// the export has no picture folder.
  private func fileName(
    of picture: String, _ folder: LazyFolder?, _ snapshot: any MarketSnapshot
  ) async throws(TransferError) -> String? {
    guard let folder else {
      summary.picturesLeftOut += 1
      return nil
    }
    if let known = pictureNames[picture] { return known }
    let file = try await market { () throws(RepositoryError) in
      try await snapshot.file(ofPicture: picture)
    }
    guard let file else { return nil }
    let name = picture + "." + (PictureFormat(sniffing: file)?.fileExtension ?? "bin")
    try folder.folder().write(file, as: name)
    pictureNames.remember(name, for: picture)
    return name
  }
}

/// Picture folder that is created with the first picture.
private final class LazyFolder {
  private let path: String
  private var made: PictureFolder?

  init(beside path: String) {
    self.path = path
  }

  func folder() throws(TransferError) -> PictureFolder {
    if let made { return made }
    let folder = try PictureFolder(beside: path, creates: true)
    made = folder
    return folder
  }

  /// Deletes the pictures written to it.
  func undo() { made?.undo() }
}

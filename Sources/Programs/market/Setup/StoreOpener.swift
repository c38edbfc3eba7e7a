import MarketClient
import MarketModel
import MarketStore
import MarketStrings
import PictureKit
import Posix
import SafeTextKit
import SampleMarket
import StoreCore

/// Opening of market files.
enum StoreOpener {
  /// Opens the file at `path`; a nil path is the default store, which is filled with the sample market
  /// if it is new.
  ///
  /// `readsOnly` opens it for reading; a missing file is created, empty, if `creates` is true.
  /// - Throws: `.store(.cannotOpen)` if the default store's folder cannot be made, else what
  ///   `SQLiteStore.open` throws.
  static func open(
    path: String?, creates: Bool = true, readsOnly: Bool = false, filledIn language: Language
  ) async throws(RepositoryError) -> SQLiteStore {
    var options = SQLiteStore.Options(
      createsFile: creates || path == nil, readsOnly: readsOnly)
    // `--pictures` of this program selects how they are shown.
    let location = Environment.value(of: PictureStorageLocation.variable).flatMap(
      PictureStorageLocation.init)
    options.outside = try location?.pictures(bucket: BucketStorage.connected)
    let processor = UploadPreparer()
    guard let path else {
      let paths = AppPaths()
      do throws(SystemError) {
        try Folder.make(paths.data)
      } catch {
        throw .store(.cannotOpen(error.description))
      }
      return try await SQLiteStore.open(
        at: paths.defaultStore, pictureProcessor: processor, options: options,
        filledWith: { SampleImporter.seed(in: language, now: SystemTime.now().seconds) })
    }
    return try await SQLiteStore.open(
      at: path, pictureProcessor: processor, options: options)
  }
}

/// Sample market as the content of a new store.
nonisolated enum SampleImporter {
  /// Products in the order of the sample, oldest first, so that the newest gets the highest id; ages
  /// are relative to `now`, in seconds since 1970.
  static func seed(in language: Language, now: Int64) -> SeedMarket {
    var pictures: [PreparedPicture] = []
    let products = EmbeddedSample.products(in: edition(language), now: now).map { sample in
      pictures += sample.pictures
      var product = sample.product
      product.pictures = pictures.indices.suffix(sample.pictures.count).map { String($0) }
      return product
    }
    return SeedMarket(
      products: products, pictures: pictures, passwordHash: EmbeddedSample.passwordHash)
  }

  private static func edition(_ language: Language) -> EmbeddedSample.Edition {
    switch language {
    case .korean: .korean
    case .english: .english
    }
  }
}

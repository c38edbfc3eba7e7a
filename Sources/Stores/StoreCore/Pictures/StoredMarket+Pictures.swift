import MarketModel
import SQLiteKit

/// Pictures of products: reading, processing and uploading their files.
extension StoredMarket {
  package func picture(
    at locator: String, _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8] {
    let (hash, file) = try await stored(locator, rendition)
    return try await file.bytes(of: hash, rendition, in: outside)
  }

  package func servedPicture(
    at locator: String, _ rendition: PictureRendition, for method: SignedAddress.Method
  ) async throws(RepositoryError) -> ServedPicture {
    let (hash, file) = try await stored(locator, rendition)
    if case .outside = file,
      let address = outside?.signedAddress(of: hash, rendition, for: method, at: now())
    {
      return .elsewhere(address)
    }
    return .file(try await file.bytes(of: hash, rendition, in: outside))
  }

  /// One file of a picture as the database stores it; nil where there is no picture of this hash.
  /// - Throws: `.store` or `.cancelled`, as `read(_:_:)`.
  func file(
    ofPicture hash: [UInt8], _ rendition: PictureRendition
  ) async throws(RepositoryError) -> StoredPictureFile? {
    try await read(.files) { database throws(StoreError) in
      try database.pictures.file(of: hash, rendition)
    }
  }

  private func stored(
    _ locator: String, _ rendition: PictureRendition
  ) async throws(RepositoryError) -> (hash: [UInt8], file: StoredPictureFile) {
    guard let hash = Picture.hash(in: locator, of: rendition),
      let file = try await file(ofPicture: hash, rendition)
    else { throw .notFound }
    return (hash, file)
  }

  package func bytes(
    of picture: Picture, _ rendition: PictureRendition
  ) async throws(PictureError) -> [UInt8] {
    do {
      return try await self.picture(at: picture.locator(of: rendition), rendition)
    } catch {
      switch error {
      case .notFound: throw .missing
      case .cancelled: throw .cancelled
      default: throw .unreachable
      }
    }
  }

  /// Processes uploaded files, in their order.
  /// - Throws: `.invalid` for a file that is too large or cannot be decoded; `.cancelled`.
  func prepare(_ files: [[UInt8]]) async throws(RepositoryError) -> [PreparedPicture] {
    var pictures: [PreparedPicture] = []
    for outcome in await outcomes(of: files) {
      do {
        pictures.append(try outcome.get())
      } catch .cancelled {
        throw .cancelled
      } catch .tooLarge {
        let problem = FieldError.Problem.pictureTooLarge(maximumBytes: StorageRules.pictureBytes)
        throw .invalid([FieldError(.pictures, problem)])
      } catch {
        throw .invalid([FieldError(.pictures, .unsupportedPicture)])
      }
    }
    return pictures
  }

  /// Results of processing uploaded files, in their order; the processor limits how many run at a time.
  private func outcomes(of files: [[UInt8]]) async -> [Result<PreparedPicture, PictureError>] {
    await withTaskGroup(of: (Int, Result<PreparedPicture, PictureError>).self) { group in
      for (index, file) in files.enumerated() {
        group.addTask {
          // By itself: in a tuple around a throwing wait, Swift 6.3 loses the index in release builds.
          let outcome = await self.outcome(of: file)
          return (index, outcome)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func outcome(of file: [UInt8]) async -> Result<PreparedPicture, PictureError> {
    do throws(PictureError) {
      return .success(try await pictureProcessor.prepare(file))
    } catch {
      return .failure(error)
    }
  }

  /// Prepares pictures to be referenced: their files are in the external storage when this returns, or
  /// are inserted into the database with the reference.
  /// - Throws: `.store(.locked)` while a garbage collection deletes one of them; what
  ///   `ExternalPictures.prove(by:)` and `put(_:knowing:)` throw.
  func upload(_ pictures: [PreparedPicture]) async throws(RepositoryError) -> [StoredPicture] {
    let inside = pictures.map(StoredPicture.inside)
    guard let outside, !inside.isEmpty else { return inside }
    try await outside.checkOwnership { () throws(RepositoryError) in
      try await sampleOfExternalHashes()
    }
    let known = try await lease(inside.map(\.hash))
    return try await outside.put(inside, knowing: known)
  }

  /// Hashes of some pictures that the market has stored externally.
  func sampleOfExternalHashes() async throws(RepositoryError) -> [[UInt8]] {
    try await read(.statements) { database throws(StoreError) in
      try database.pictures.pictures(
        after: 0, areOutside: true, atMost: PictureGarbageCollection.proofSize)
    }.map(\.hash)
  }

  /// Leases pictures, and returns the hashes of the thumbnails of those that are already external, by
  /// their own.
  /// - Throws: `.store(.locked)` while a garbage collection deletes one of them.
  @discardableResult
  func lease(_ hashes: [[UInt8]]) async throws(RepositoryError) -> [[UInt8]: [UInt8]] {
    // In one order for all writers, so that they cannot deadlock.
    let hashes = Set(hashes).sorted { $0.lexicographicallyPrecedes($1) }
    return try await write(isRepeatable: true) { database throws(StoreError) in
      // A garbage collection ends soon.
      guard let known = try database.pictures.lease(hashes) else {
        return .failure(.store(.locked))
      }
      return .success(known)
    }
  }
}

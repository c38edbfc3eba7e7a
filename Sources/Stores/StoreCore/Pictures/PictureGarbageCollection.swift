import MarketModel

/// Sweep of the files outside that nothing refers to.
package struct PictureGarbageCollection: Sendable {
  /// Seconds for which nothing has referred to a picture that is swept.
  package var restSeconds: Int64
  /// Seconds after which one that does not end its turn is taken for dead; nobody deletes anything
  /// in the second half of them.
  package let turnSeconds: Int64 = 600
  /// Pictures of a turn.
  package let size = 100
  /// Pictures of which one has to be in a storage that becomes a market's.
  static let proofSize = 8
}

extension StoredMarket {
  /// Makes pictures fit to be referred to: their files are outside when this returns, or come into the
  /// database with what refers to them.
  func keep(_ pictures: [PreparedPicture]) async throws(RepositoryError) -> [StoredPicture] {
    let inside = pictures.map(StoredPicture.init(inside:))
    guard let outside, !inside.isEmpty else { return inside }
    try await outside.prove { () throws(RepositoryError) in try await outsideProof() }
    let known = try await lease(inside.map(\.hash))
    return try await outside.put(inside, knowing: known)
  }

  /// Hashes of pictures of which one has to be in a storage that is the market's.
  private func outsideProof() async throws(RepositoryError) -> [[UInt8]] {
    try await read(.statements) { database throws(StoreError) in
      try database.pictures.pictures(
        after: 0, areOutside: true, atMost: PictureGarbageCollection.proofSize)
    }.map(\.hash)
  }

  /// Leases pictures, and gives the hashes of the thumbnails of those that are outside already.
  @discardableResult
  private func lease(_ hashes: [[UInt8]]) async throws(RepositoryError) -> [[UInt8]: [UInt8]] {
    // In one order for everybody, so that nobody waits in a ring.
    let hashes = Set(hashes).sorted { $0.lexicographicallyPrecedes($1) }
    return try await write(isRepeatable: true) { database throws(StoreError) in
      // Who sweeps is done in a moment.
      guard let known = try database.pictures.lease(hashes) else {
        return .failure(.store(.locked))
      }
      return .success(known)
    }
  }

  package func sweepPictures(
    unusedForSeconds rest: Int64
  ) async throws(RepositoryError) -> Int? {
    guard let outside else { return 0 }
    let id = try await ownMarketID()
    guard try await outside.belongs(to: id, provenBy: try await outsideProof()) else { return nil }
    let sweep = PictureGarbageCollection(restSeconds: rest)
    var count = 0
    // Of the first that failed; the others go nevertheless.
    var failure: RepositoryError?
    while true {
      let end = ContinuousClock.now + .seconds(sweep.turnSeconds / 2)
      let turn = try await write(isRepeatable: false) { database throws(StoreError) in
        .success(try database.pictures.beginSweep(sweep))
      }
      // What fails keeps its mark: a call that was given up may still delete something.
      var deleted: [[UInt8]] = []
      var isCutShort = false
      for hash in turn.hashes {
        isCutShort = .now >= end
        if isCutShort { break }
        do throws(RepositoryError) {
          try await outside.delete(hash)
          deleted.append(hash)
        } catch {
          failure = failure ?? error
        }
      }
      if !deleted.isEmpty {
        let gone = deleted
        try await write(isRepeatable: true) { database throws(StoreError) in
          .success(try database.pictures.endSweep(gone))
        }
      }
      count += deleted.count
      // Where nothing of a turn can be deleted, the storage is at fault, not a file.
      let isStuck = deleted.isEmpty && !turn.hashes.isEmpty
      if turn.isLast || isCutShort || isStuck { break }
    }
    if let failure { throw failure }
    return count
  }
}

// MARK: Moving

extension StoredMarket {
  /// Pictures that are looked up at a time.
  private var movedAtOnce: Int { 64 }

  package func movePictures(
    _ direction: PictureDirection, show: @escaping @Sendable (Int) -> Void
  ) async throws(RepositoryError) -> Int {
    guard let outside else { throw .store(.picturesUnavailable(ExternalPictures.unnamed)) }
    try await outside.prove { () throws(RepositoryError) in try await outsideProof() }
    var last: Int64 = 0
    var count = 0
    while true {
      let key = last
      let keys = try await read(.statements) { database throws(StoreError) in
        try database.pictures.pictures(
          after: key, areOutside: direction == .inward, atMost: self.movedAtOnce)
      }
      for key in keys where try await move(key.hash, direction, outside) { count += 1 }
      show(count)
      guard let final = keys.last else { return count }
      last = final.number
    }
  }

  /// Moves one picture; false where it is gone, or was moved by somebody else.
  private func move(
    _ hash: [UInt8], _ direction: PictureDirection, _ outside: ExternalPictures
  ) async throws(RepositoryError) -> Bool {
    guard let original = try await file(ofPicture: hash, .original),
      let thumbnail = try await file(ofPicture: hash, .thumbnail)
    else { return false }
    switch (direction, original, thumbnail) {
    case (.outward, .inside(let original), .inside(let thumbnail)):
      let picture = StoredPicture(
        hash: hash, files: .inside(original: original, thumbnail: thumbnail))
      guard ContentHash.of(original) == hash else { throw .store(.damaged) }
      try await lease([hash])
      guard case .outside(let thumbnailHash)? = try await outside.put([picture]).first?.files
      else { return false }
      // Read again as everybody will read it.
      for rendition in [PictureRendition.original, .thumbnail] {
        _ = try await outside.bytes(of: hash, rendition, thumbnailHash: thumbnailHash)
      }
      return try await write(isRepeatable: true) { database throws(StoreError) in
        .success(try database.pictures.moveOut(hash, thumbnailHash: thumbnailHash))
      }
    case (.inward, .outside, .outside):
      let (original, thumbnail) = (
        try await original.bytes(of: hash, .original, in: outside),
        try await thumbnail.bytes(of: hash, .thumbnail, in: outside)
      )
      return try await write(isRepeatable: true) { database throws(StoreError) in
        .success(try database.pictures.moveIn(hash, original: original, thumbnail: thumbnail))
      }
    default: return false
    }
  }
}

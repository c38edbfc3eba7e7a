import MarketModel
import SQLiteKit

/// Parameters of the deletion of external files that no product references.
package struct PictureGarbageCollection: Sendable {
  /// Minimum seconds for which a picture has been unreferenced before it is deleted.
  package var unusedSeconds: Int64
  /// Seconds after which a server that has not ended its turn is presumed dead; a server deletes only in
  /// the first half of its turn.
  package let turnSeconds: Int64 = 600
  /// Maximum number of pictures in a turn.
  package let size = 100
  /// Number of the market's pictures, one of which a storage must hold to become the market's.
  static let proofSize = 8
}

extension StoredMarket {
  package func sweepPictures(
    unusedForSeconds unused: Int64
  ) async throws(RepositoryError) -> Int? {
    guard let outside else { return 0 }
    let id = try await ownMarketID()
    guard try await outside.belongs(to: id, provenBy: try await sampleOfExternalHashes()) else {
      return nil
    }
    let sweep = PictureGarbageCollection(unusedSeconds: unused)
    var count = 0
    // The first failure; the remaining pictures are tried all the same.
    var failure: RepositoryError?
    while true {
      let end = ContinuousClock.now + .seconds(sweep.turnSeconds / 2)
      let turn = try await write(isRepeatable: false) { database throws(StoreError) in
        .success(try database.pictures.beginSweep(sweep))
      }
      // A failed deletion keeps its mark: a call that timed out may still delete something.
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
      // Where a whole turn fails, the storage is at fault, not a file.
      let isStuck = deleted.isEmpty && !turn.hashes.isEmpty
      if turn.isLast || isCutShort || isStuck { break }
    }
    if let failure { throw failure }
    return count
  }
}

// MARK: Moving

extension StoredMarket {
  /// Pictures that are read in one statement.
  private var movedAtOnce: Int { 64 }

  package func movePictures(
    _ direction: PictureDirection, show: @escaping @Sendable (Int) -> Void
  ) async throws(RepositoryError) -> Int {
    guard let outside else { throw .store(.picturesUnavailable(ExternalPictures.noStorage)) }
    try await outside.checkOwnership { () throws(RepositoryError) in
      try await sampleOfExternalHashes()
    }
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

  /// Moves one picture; false where it was deleted or already moved.
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
      // Read back as clients will read it.
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

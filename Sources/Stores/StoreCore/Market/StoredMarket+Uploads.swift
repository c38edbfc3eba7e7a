import MarketModel
import SQLiteKit

/// Photos from telephones in a SQL database.
extension StoredMarket {
  package func openUpload(
    _ token: String, by owner: SellerIdentifier
  ) async throws(RepositoryError) {
    let (seller, hash, now) = (SellerKey(owner), ContentHash.of(token), now())
    try await write(isRepeatable: false) { database throws(StoreError) -> Outcome<Void> in
      if try database.read(database.sellers.isBlocked(seller)) { return .failure(.blocked) }
      return .success(try database.uploads.insert(hash, by: seller.hash, now: now))
    }
  }

  package func addUploads(
    _ photos: [UploadedPhoto], to token: String
  ) async throws(RepositoryError) -> [Int64]? {
    let size = photos.reduce(Int64(0)) { $0 + Int64($1.bytes.count) }
    return try await onUpload(token, by: nil) { table, page throws(StoreError) -> [Int64]? in
      guard page.photoCount + Int64(photos.count) <= Int64(UploadLimits.photos),
        page.byteCount + size <= Int64(UploadLimits.bytes)
      else { return nil }
      var ids: [Int64] = []
      for photo in photos { ids.append(try table.insert(photo, to: page)) }
      return ids
    }
  }

  package func uploadStates(
    of photos: [Int64], on token: String
  ) async throws(RepositoryError) -> [Bool?] {
    let (hash, now) = (ContentHash.of(token), now())
    let states = try await read(.oneState) { database throws(StoreError) -> [Bool?]? in
      guard let page = try database.uploads.page(hash, by: nil, now: now) else { return nil }
      var states: [Bool?] = []
      for photo in photos { states.append(try database.uploads.state(of: photo, on: page)) }
      return states
    }
    guard let states else { throw .notFound }
    return states
  }

  package func uploads(
    on token: String, by owner: SellerIdentifier, after last: Int64
  ) async throws(RepositoryError) -> [WaitingUpload] {
    let now = now()
    return try await onUpload(token, by: owner) { table, page throws(StoreError) in
      try table.touch(page, now: now)
      return try table.waiting(on: page, after: last)
    }
  }

  package func uploadedBytes(
    of photo: Int64, on token: String, by owner: SellerIdentifier
  ) async throws(RepositoryError) -> [UInt8] {
    let bytes = try await onUpload(token, by: owner) { table, page throws(StoreError) in
      try table.bytes(of: photo, on: page)
    }
    guard let bytes else { throw .notFound }
    return bytes
  }

  package func endUpload(
    of photo: Int64, on token: String, by owner: SellerIdentifier, isTaken: Bool
  ) async throws(RepositoryError) {
    let isThere = try await onUpload(token, by: owner) { table, page throws(StoreError) in
      try table.end(photo, on: page, isTaken: isTaken)
    }
    if !isThere { throw .notFound }
  }

  package func closeUpload(
    _ token: String, by owner: SellerIdentifier
  ) async throws(RepositoryError) {
    try await onUpload(token, by: owner) { table, page throws(StoreError) in
      try table.delete(page)
    }
  }

  package func deleteOldUploads() async throws(RepositoryError) {
    let now = now()
    try await write(isRepeatable: true) { database throws(StoreError) -> Outcome<Void> in
      .success(try database.uploads.deleteOld(now: now))
    }
  }

  /// Runs a body with an open page, of one owner or of any for nil, in one transaction.
  /// - Throws: `.notFound` where there is no such page; else what `write(isRepeatable:_:)` throws.
  private func onUpload<Answer: Sendable>(
    _ token: String, by owner: SellerIdentifier?,
    _ body:
      @escaping @Sendable (UploadTable, UploadTable.Page) throws(StoreError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    let (hash, key, now) = (ContentHash.of(token), owner.map { SellerKey($0).hash }, now())
    return try await write(isRepeatable: false) { database throws(StoreError) -> Outcome<Answer> in
      guard let page = try database.uploads.locked(hash, by: key, now: now) else {
        return .failure(.notFound)
      }
      return .success(try body(database.uploads, page))
    }
  }
}

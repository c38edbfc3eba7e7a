import MarketModel
import Synchronization
import TextCoding

/// Pictures that a market stores outside of its database: an original and a thumbnail each, named by the
/// hash of the original.
package struct ExternalPictures: Sendable {
  /// Label of a storage call in the metrics.
  private enum Operation: String {
    case put, get, delete
  }

  /// Error text where external pictures are referenced but no storage is configured.
  static let noStorage = "pictures are outside of the store; name their place by MARKET_PICTURES"

  /// Error text for a storage that holds none of the market's pictures.
  private static let foreignStorage =
    "the storage has none of the market's pictures; mount it, or name its place by MARKET_PICTURES"

  /// File in the storage that holds the id of the market that owns it.
  static let ownerName = "market-id"
  private static let ownerLimit = 1_024

  private let storage: any PictureStorage
  private let registry: MetricsRegistry
  private let signer: BucketSigner?
  private let isOwnershipChecked = SharedFlag()

  /// With a signer, clients are redirected to the storage's own URLs.
  package init(
    _ storage: any PictureStorage, registry: MetricsRegistry = MetricsRegistry(),
    signer: BucketSigner? = nil
  ) {
    self.storage = storage
    self.registry = registry
    self.signer = signer
  }

  /// Name of a picture's file: in one of 256 folders, after the first two digits of its hash.
  package static func name(of hash: [UInt8], _ rendition: PictureRendition) -> String {
    let picture = Picture(number: 0, hash: hash)
    return Hexadecimal.text(of: hash.prefix(1)) + "/" + picture.locator(of: rendition)
  }

  /// Writes both files of each picture concurrently; the caller has leased their hashes.
  ///
  /// A thumbnail whose hash the database has `known` stays: servers may make different thumbnails of one
  /// picture, and all have the same name. Of a picture that the database does not know, the first
  /// thumbnail written stays.
  ///
  /// - Throws: `.store(.picturesUnavailable)` where the storage fails; `.store(.diskFull)`; `.cancelled`.
  func put(
    _ pictures: [StoredPicture], knowing known: [[UInt8]: [UInt8]] = [:]
  ) async throws(RepositoryError) -> [StoredPicture] {
    var thumbnails = known
    var files: [String: [UInt8]] = [:]
    var new: [[UInt8]: [UInt8]] = [:]
    for picture in pictures {
      guard case .inside(let original, let thumbnail) = picture.files else { continue }
      files[Self.name(of: picture.hash, .original)] = original
      if let hash = known[picture.hash] {
        // Written again, in case the file was lost.
        guard ContentHash.of(thumbnail) == hash else { continue }
        files[Self.name(of: picture.hash, .thumbnail)] = thumbnail
      } else {
        new[picture.hash] = thumbnail
      }
    }
    typealias Written = Result<(picture: [UInt8], thumbnail: [UInt8])?, PictureStorageError>
    let outcomes = await withTaskGroup(of: Written.self) { group in
      for (name, bytes) in files {
        group.addTask {
          await outcome(.put) { () throws(PictureStorageError) in
            try await storage.put(bytes, at: name)
            return nil
          }
        }
      }
      for (hash, thumbnail) in new {
        group.addTask {
          await outcome(.put) { () throws(PictureStorageError) in
            let first = try await firstThumbnail(of: hash, else: thumbnail)
            return (hash, first)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for outcome in outcomes {
      if let written = try outcome.forMarket() {
        thumbnails[written.picture] = written.thumbnail
      }
    }
    return pictures.compactMap { picture in
      thumbnails[picture.hash].map {
        StoredPicture(hash: picture.hash, files: .outside(thumbnailHash: $0))
      }
    }
  }

  /// The hash of the thumbnail that was written first for a new picture: this one, or that of a server
  /// that stores the same picture at the same time.
  /// - Throws: what the storage throws; `.busy` where a garbage collection has just deleted the file.
  private func firstThumbnail(
    of hash: [UInt8], else thumbnail: [UInt8]
  ) async throws(PictureStorageError) -> [UInt8] {
    let name = Self.name(of: hash, .thumbnail)
    if try await storage.putFirst(thumbnail, at: name) { return ContentHash.of(thumbnail) }
    let found = try await storage.bytes(at: name, atMost: StorageRules.storedPictureBytes)
    // A garbage collection may have deleted it; the next try can write it.
    guard let found else { throw .busy }
    return ContentHash.of(found)
  }

  /// One file of a picture, checked against its hash.
  ///
  /// A missing or altered file is a fault of the storage, which its operator may repair.
  ///
  /// - Throws: `.store(.picturesUnavailable)` for such a file and where the storage fails; `.cancelled`.
  func bytes(
    of hash: [UInt8], _ rendition: PictureRendition, thumbnailHash: [UInt8]
  ) async throws(RepositoryError) -> [UInt8] {
    let name = Self.name(of: hash, rendition)
    guard let found = try await storedBytes(at: name) else {
      throw .store(.picturesUnavailable("the storage has no picture \(name)"))
    }
    guard ContentHash.of(found) == (rendition == .original ? hash : thumbnailHash) else {
      throw .store(.picturesUnavailable("the storage has another file as picture \(name)"))
    }
    return found
  }

  /// The storage's own URL of a file; nil for thumbnails and without a signer.
  ///
  /// A thumbnail's name does not contain the hash of its content, so that no client could check one from
  /// another server.
  func signedAddress(
    of hash: [UInt8], _ rendition: PictureRendition, for method: SignedAddress.Method,
    at now: Int64
  ) -> SignedAddress? {
    guard rendition == .original else { return nil }
    return signer?.address(of: Self.name(of: hash, rendition), for: method, at: now)
  }

  /// Checks that the storage answers and can be written.
  /// - Throws: `.store(.picturesUnavailable)` with the reason, or `.store(.diskFull)`.
  package func check() async throws(RepositoryError) {
    _ = try await owner()
    try await outcome(.get) { () throws(PictureStorageError) in try await storage.checkWriting() }
      .forMarket()
  }

  /// Checks, once, that the storage belongs to a market: it has an owner file, or one of the `hashes` of
  /// pictures that the market has stored there, or there are none.
  ///
  /// An empty folder may be the mount point of a file system that is not mounted.
  ///
  /// - Throws: `.store(.picturesUnavailable)` for a storage without any of the pictures, or one that
  ///   fails; what `hashes` throws.
  func checkOwnership(by hashes: () async throws(RepositoryError) -> [[UInt8]])
    async throws(RepositoryError)
  {
    guard !isOwnershipChecked.load() else { return }
    if try await owner() == nil {
      guard try await hasAny(of: try await hashes()) else {
        throw .store(.picturesUnavailable(Self.foreignStorage))
      }
    }
    isOwnershipChecked.set()
  }

  /// The content of the owner file; nil where there is none.
  private func owner() async throws(RepositoryError) -> [UInt8]? {
    try await storedBytes(at: Self.ownerName, atMost: Self.ownerLimit)
  }

  /// Whether the storage belongs to the market of this id; writes the owner file where there is none.
  ///
  /// It is claimed only where one of the pictures of `hashes` is there, unless there are none: an empty
  /// folder may be the mount point of a file system that is not mounted. A copy of a market references
  /// the same files; it has an id of its own, and must not delete them.
  ///
  /// - Throws: `.store(.picturesUnavailable)` for a storage without any of the pictures, or one that
  ///   fails.
  func belongs(
    to id: MarketID?, provenBy hashes: [[UInt8]]
  ) async throws(RepositoryError) -> Bool {
    guard let id else { return false }
    if let owner = try await owner() { return owner == Array(id.text.utf8) }
    guard try await hasAny(of: hashes) else {
      throw .store(.picturesUnavailable(Self.foreignStorage))
    }
    try await outcome(.put) { () throws(PictureStorageError) in
      try await storage.put(Array(id.text.utf8), at: Self.ownerName)
    }.forMarket()
    return true
  }

  /// Whether the original of any of the hashes is there; true for no hashes.
  private func hasAny(of hashes: [[UInt8]]) async throws(RepositoryError) -> Bool {
    for hash in hashes where try await storedBytes(at: Self.name(of: hash, .original)) != nil {
      return true
    }
    return hashes.isEmpty
  }

  /// A file of the storage; nil where it is missing.
  private func storedBytes(
    at name: String, atMost limit: Int = StorageRules.storedPictureBytes
  ) async throws(RepositoryError) -> [UInt8]? {
    try await outcome(.get) { () throws(PictureStorageError) in
      try await storage.bytes(at: name, atMost: limit)
    }.forMarket()
  }

  /// Deletes both files of a picture.
  /// - Throws: `.store(.picturesUnavailable)` with the file's name; `.cancelled`.
  func delete(_ hash: [UInt8]) async throws(RepositoryError) {
    for rendition in [PictureRendition.thumbnail, .original] {
      let name = Self.name(of: hash, rendition)
      try await outcome(.delete) { () throws(PictureStorageError) in
        try await storage.delete(name)
      }.mapError { error in
        // The operator has to find a single faulty file.
        guard case .unavailable(let reason) = error else { return error }
        return .unavailable("\(name): \(reason)")
      }.forMarket()
    }
  }

  private func outcome<Answer: Sendable>(
    _ operation: Operation,
    _ body: @Sendable () async throws(PictureStorageError) -> Answer
  ) async -> Result<Answer, PictureStorageError> {
    let began = ContinuousClock.now
    do throws(PictureStorageError) {
      let answer = try await body()
      registry.timer(.storageTime, operation.rawValue, "done").note(since: began)
      return .success(answer)
    } catch {
      registry.timer(.storageTime, operation.rawValue, "failed").note(since: began)
      return .failure(error)
    }
  }
}

extension Result where Failure == PictureStorageError {
  /// The value; a failure of the storage is one of the market.
  fileprivate func forMarket() throws(RepositoryError) -> Success {
    try mapError { error -> RepositoryError in
      switch error {
      case .unavailable(let reason):
        .store(.picturesUnavailable("the pictures' storage: \(reason)"))
      case .timedOut: .store(.picturesUnavailable("the pictures' storage takes too long"))
      case .busy: .store(.picturesUnavailable("the pictures' storage keeps too many waiting"))
      case .full: .store(.diskFull)
      case .tooLarge: .store(.picturesUnavailable("the storage has a file that is no picture"))
      case .cancelled: .cancelled
      }
    }.get()
  }
}

/// Flag that all copies of `ExternalPictures` share: whether the storage was found to be the market's.
private final class SharedFlag: Sendable {
  private let flag = Atomic(false)

  func load() -> Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

extension StoredPictureFile {
  /// The bytes of the file, from the database or the storage.
  /// - Throws: `.store(.picturesUnavailable)` where no storage is configured; else what
  ///   `ExternalPictures.bytes(of:_:thumbnailHash:)` throws.
  package func bytes(
    of hash: [UInt8], _ rendition: PictureRendition, in outside: ExternalPictures?
  ) async throws(RepositoryError) -> [UInt8] {
    switch self {
    case .inside(let bytes): return bytes
    case .outside(let thumbnailHash):
      guard let outside else { throw .store(.picturesUnavailable(ExternalPictures.noStorage)) }
      return try await outside.bytes(of: hash, rendition, thumbnailHash: thumbnailHash)
    }
  }
}

import MarketModel
import Synchronization
import TextCoding

/// The pictures of a market that are outside of its database: two files of each, under the hash that
/// is in its address.
package struct ExternalPictures: Sendable {
  /// What a storage was asked for, as measures name it.
  private enum Operation: String {
    case put, get, delete
  }

  /// Why a picture outside cannot be reached by whoever was not told where it is.
  static let unnamed = "pictures are outside of the store; name their place by MARKET_PICTURES"

  /// Why a storage is not taken for a market's.
  private static let strange =
    "the storage has none of the market's pictures; mount it, or name its place by MARKET_PICTURES"

  /// The file that says whose pictures these are.
  static let ownerName = "market-id"
  private static let ownerLimit = 1_024

  private let storage: any PictureStorage
  private let registry: MetricsRegistry
  private let signer: BucketSigner?
  private let proof = StorageOwnershipCheck()

  /// With a signer, clients are told the storage's own addresses.
  package init(
    _ storage: any PictureStorage, registry: MetricsRegistry = MetricsRegistry(),
    signer: BucketSigner? = nil
  ) {
    self.storage = storage
    self.registry = registry
    self.signer = signer
  }

  /// Name of a picture's file: in one of 256 folders by the first two digits of its hash.
  package static func name(of hash: [UInt8], _ rendition: PictureRendition) -> String {
    let picture = Picture(number: 0, hash: hash)
    return Hexadecimal.text(of: hash.prefix(1)) + "/" + picture.locator(of: rendition)
  }

  /// Writes both files of each picture, all at once; whose hashes are leased.
  ///
  /// A thumbnail that is outside already stays, with the hash by which the database has `known` it:
  /// servers may make different thumbnails of one picture, which all have the same name. Of one that the
  /// database does not know yet, the first that is written stays for everybody.
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
        // The same one is written again, in case it was lost.
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
      if let written = try Self.value(of: outcome) {
        thumbnails[written.picture] = written.thumbnail
      }
    }
    return pictures.compactMap { picture in
      thumbnails[picture.hash].map {
        StoredPicture(hash: picture.hash, files: .outside(thumbnailHash: $0))
      }
    }
  }

  /// The hash of the thumbnail of a new picture that was written first: this one, or that of a server
  /// with the same picture at the same time.
  private func firstThumbnail(
    of hash: [UInt8], else thumbnail: [UInt8]
  ) async throws(PictureStorageError) -> [UInt8] {
    let name = Self.name(of: hash, .thumbnail)
    if try await storage.putFirst(thumbnail, at: name) { return ContentHash.of(thumbnail) }
    let found = try await storage.bytes(at: name, atMost: StorageRules.storedPictureBytes)
    // Who sweeps may have been here; the next try finds nothing in its way.
    guard let found else { throw .busy }
    return ContentHash.of(found)
  }

  /// One file of a picture, which has the hash that the database says.
  ///
  /// One that is missing or altered is a fault of the storage, which somebody may mend.
  func bytes(
    of hash: [UInt8], _ rendition: PictureRendition, thumbnailHash: [UInt8]
  ) async throws(RepositoryError) -> [UInt8] {
    let name = Self.name(of: hash, rendition)
    let found = try Self.value(
      of: await outcome(.get) { () throws(PictureStorageError) in
        try await storage.bytes(at: name, atMost: StorageRules.storedPictureBytes)
      })
    guard let found else {
      throw .store(.picturesUnavailable("the storage has no picture \(name)"))
    }
    guard ContentHash.of(found) == (rendition == .original ? hash : thumbnailHash) else {
      throw .store(.picturesUnavailable("the storage has another file as picture \(name)"))
    }
    return found
  }

  /// The storage's own address of a file; nil where nobody is told it.
  ///
  /// Thumbnails stay: their name says nothing of their content, so that no client could check what it
  /// gets from elsewhere.
  func signedAddress(
    of hash: [UInt8], _ rendition: PictureRendition, for method: SignedAddress.Method,
    at now: Int64
  ) -> SignedAddress? {
    guard rendition == .original else { return nil }
    return signer?.address(of: Self.name(of: hash, rendition), for: method, at: now)
  }

  /// Looks whether the storage answers and may be written to, and throws why not.
  package func check() async throws(RepositoryError) {
    _ = try await owner()
    try Self.value(
      of: await outcome(.get) { () throws(PictureStorageError) in
        try await storage.checkWriting()
      })
  }

  /// Makes sure, once, that the storage is one that pictures may be written to: it says that it is a
  /// market's, or has one of the pictures that the market has outside, unless there are none.
  ///
  /// An empty folder may be one on which nothing is mounted.
  func prove(by hashes: () async throws(RepositoryError) -> [[UInt8]]) async throws(RepositoryError)
  {
    guard !proof.isGiven else { return }
    if try await owner() == nil {
      guard try await hasAny(of: try await hashes()) else {
        throw .store(.picturesUnavailable(Self.strange))
      }
    }
    proof.give()
  }

  /// What says whose the storage is.
  private func owner() async throws(RepositoryError) -> [UInt8]? {
    try Self.value(
      of: await outcome(.get) { () throws(PictureStorageError) in
        try await storage.bytes(at: Self.ownerName, atMost: Self.ownerLimit)
      })
  }

  /// Whether the storage is that of a market, which takes it where nobody has it yet.
  ///
  /// It is taken only where one of the pictures that prove it is there, unless there are none: an
  /// empty folder may be one on which nothing is mounted.
  /// A copy of a market knows the same files. It must not delete them, and has an id of its own.
  func belongs(
    to id: MarketID?, provenBy hashes: [[UInt8]]
  ) async throws(RepositoryError) -> Bool {
    guard let id else { return false }
    if let owner = try await owner() { return owner == Array(id.text.utf8) }
    guard try await hasAny(of: hashes) else { throw .store(.picturesUnavailable(Self.strange)) }
    try Self.value(
      of: await outcome(.put) { () throws(PictureStorageError) in
        try await storage.put(Array(id.text.utf8), at: Self.ownerName)
      })
    return true
  }

  /// Whether an original is there, or none is asked for.
  private func hasAny(of hashes: [[UInt8]]) async throws(RepositoryError) -> Bool {
    for hash in hashes {
      let name = Self.name(of: hash, .original)
      let found = try Self.value(
        of: await outcome(.get) { () throws(PictureStorageError) in
          try await storage.bytes(at: name, atMost: StorageRules.storedPictureBytes)
        })
      if found != nil { return true }
    }
    return hashes.isEmpty
  }

  /// Deletes both files of a picture.
  func delete(_ hash: [UInt8]) async throws(RepositoryError) {
    for rendition in [PictureRendition.thumbnail, .original] {
      let name = Self.name(of: hash, rendition)
      try Self.value(
        of: await outcome(.delete) { () throws(PictureStorageError) in
          try await storage.delete(name)
        }.mapError { error in
          // One file may be at fault, which somebody has to find.
          guard case .unavailable(let reason) = error else { return error }
          return .unavailable("\(name): \(reason)")
        })
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

  /// The one place where a failure of a storage becomes one of the market.
  private static func value<Answer>(
    of outcome: Result<Answer, PictureStorageError>
  ) throws(RepositoryError) -> Answer {
    do throws(PictureStorageError) {
      return try outcome.get()
    } catch {
      switch error {
      case .unavailable(let reason):
        throw .store(.picturesUnavailable("the pictures' storage: \(reason)"))
      case .timedOut: throw .store(.picturesUnavailable("the pictures' storage takes too long"))
      case .busy: throw .store(.picturesUnavailable("the pictures' storage keeps too many waiting"))
      case .full: throw .store(.diskFull)
      case .tooLarge:
        throw .store(.picturesUnavailable("the storage has a file that is no picture"))
      case .cancelled: throw .cancelled
      }
    }
  }
}

/// Whether a storage was found to be the market's, for all who use it.
private final class StorageOwnershipCheck: Sendable {
  private let given = Atomic(false)

  var isGiven: Bool { given.load(ordering: .relaxed) }
  func give() { given.store(true, ordering: .relaxed) }
}

extension StoredPictureFile {
  /// The bytes of the file, wherever it is.
  package func bytes(
    of hash: [UInt8], _ rendition: PictureRendition, in outside: ExternalPictures?
  ) async throws(RepositoryError) -> [UInt8] {
    switch self {
    case .inside(let bytes): return bytes
    case .outside(let thumbnailHash):
      guard let outside else { throw .store(.picturesUnavailable(ExternalPictures.unnamed)) }
      return try await outside.bytes(of: hash, rendition, thumbnailHash: thumbnailHash)
    }
  }
}

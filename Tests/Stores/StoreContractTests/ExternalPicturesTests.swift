import Expectations
import Glibc
import MarketModel
import MarketStore
import Posix
import StoreCore
import Synchronization
import TestSupport
import Testing

/// Takes pictures as they are, and makes thumbnails of as many bytes as a test says.
private final class ChangingProcessor: PictureProcessor {
  private let count = Mutex(16)

  var thumbnailByteCount: Int {
    get { count.withLock { $0 } }
    set { count.withLock { $0 = newValue } }
  }

  func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture {
    let picture = try await PassThroughPictureProcessor().prepare(bytes)
    return PreparedPicture(
      bytes: bytes, format: picture.format, size: picture.size,
      thumbnail: Array(bytes.prefix(thumbnailByteCount)))
  }
}

/// An empty market whose pictures are in a folder beside it.
private struct OutsideMarket: ~Copyable {
  let store: any StoredMarket
  let storage: SwitchedStorage
  let processor: ChangingProcessor
  /// The market, opened without the location of its pictures.
  let uninformed: any StoredMarket
  private let market: ContractMarket

  init(_ database: Database, deletions: Gate<String, Void>? = nil) async throws {
    let processor = ChangingProcessor()
    let market = try await ContractMarket(database, MarketOptions(pictureProcessor: processor))
    mkdir(market.path(of: "pictures"), 0o700)
    let storage = SwitchedStorage(
      FolderStorage(at: market.path(of: "pictures")), deletions: deletions)
    store = try await market.opened(
      MarketOptions(pictureProcessor: processor, outside: ExternalPictures(storage)))
    (self.storage, self.processor, uninformed) = (storage, processor, market.store)
    self.market = market
  }

  func path(of name: String) -> String { market.path(of: name) }

  /// The names of the files outside, without the one that says whose they are.
  var files: Set<String> {
    let pictures = path(of: "pictures")
    let folders = Folder.names(in: pictures).filter { $0 != "market-id" && !$0.hasPrefix(".") }
    return Set(
      folders.flatMap { folder in
        Folder.names(in: pictures + "/" + folder).filter { !$0.hasPrefix(".") }
          .map { folder + "/" + $0 }
      })
  }

  /// The names of a picture's two files.
  func names(of file: [UInt8]) -> Set<String> {
    let hash = ContentHash.of(file)
    return [
      ExternalPictures.name(of: hash, .original), ExternalPictures.name(of: hash, .thumbnail),
    ]
  }

  @discardableResult
  func register(_ pictures: [[UInt8]]) async throws -> ProductDetail {
    try await register("key", pictures)
  }

  @discardableResult
  func register(_ key: String, _ pictures: [[UInt8]]) async throws -> ProductDetail {
    try await store.register(
      .sample(pictures: pictures), by: .guest, key: IdempotencyKey(rawValue: key))
  }
}

/// Pictures outside of a store's database.
struct ExternalPicturesTests {
  private static let one = PictureFile.jpeg(1)
  private static let two = PictureFile.jpeg(2)
  private static let day: Int64 = 86_400

  /// Reads both files of pictures.
  private func expectPictures(
    _ pictures: [Picture], are files: [[UInt8]], in store: any StoredMarket
  ) async throws {
    for (picture, file) in zip(pictures, files) {
      try await expect(store.picture(at: picture.original, .original), file)
      try await expect(store.picture(at: picture.thumbnail, .thumbnail), Array(file.prefix(16)))
    }
  }

  @Test(arguments: Database.allCases)
  func `pictures of a registration are outside, and read from there`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)

    let detail = try await market.register([Self.one, Self.two])

    expect(market.files, market.names(of: Self.one).union(market.names(of: Self.two)))
    try await expectPictures(detail.pictures, are: [Self.one, Self.two], in: market.store)
    // In the database there is nothing of them.
    let picture = try #require(detail.pictures.first)
    await #expect(throws: RepositoryError.self) {
      try await market.uninformed.picture(at: picture.original, .original)
    }
    try await expect(market.uninformed.page(PageRequest()).products.count, 1)
  }

  @Test(arguments: Database.allCases)
  func `a lost storage takes registrations away and leaves pages and plain edits`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    let detail = try await market.register("first", [Self.one])
    let picture = try #require(detail.pictures.first)
    let lost = RepositoryError.store(
      .picturesUnavailable("the pictures' storage: the storage is gone"))
    market.storage.fault = .lost

    await #expect(throws: lost) { try await market.register("second", [Self.two]) }
    await #expect(throws: lost) { try await market.store.picture(at: picture.original, .original) }
    var patch = ProductPatch()
    patch.name = "Tandem"
    let edited = try await market.store.update(
      detail.id, with: patch, password: Password("secret"), by: .guest, expecting: nil)
    let page = try await market.store.page(PageRequest())
    market.storage.fault = .none
    let second = try await market.register("second", [Self.two])

    expect(edited.product.name, "Tandem")
    expect(page.products.map(\.name), ["Tandem"])
    try await expect(market.store.page(PageRequest()).products.count, 2)
    try await expect(market.store.picture(at: second.pictures[0].original, .original), Self.two)
  }

  @Test(arguments: Database.allCases)
  func `files of a registration that was cut short go after a day, and not before`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    market.storage.fault = .losesAnswers
    await #expect(throws: RepositoryError.self) { try await market.register([Self.one]) }
    market.storage.fault = .none
    expect(market.files, market.names(of: Self.one))

    let early = try await market.store.sweepPictures(unusedForSeconds: Self.day)
    let filesThen = market.files
    let late = try await market.store.sweepPictures(unusedForSeconds: 0)

    #expect(early == 0 && filesThen == market.names(of: Self.one))
    #expect(late == 1 && market.files.isEmpty)
  }

  @Test(arguments: Database.allCases)
  func `a sweep takes what no product has, and leaves what one has again`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    let first = try await market.register("first", [Self.one, Self.two])
    _ = try await market.store.remove(first.id)
    let again = try await market.register("again", [Self.two])

    let early = try await market.store.sweepPictures(unusedForSeconds: Self.day)
    let filesThen = market.files
    let late = try await market.store.sweepPictures(unusedForSeconds: 0)
    let third = try await market.store.sweepPictures(unusedForSeconds: 0)

    expect(early, 0)
    expect(filesThen, market.names(of: Self.one).union(market.names(of: Self.two)))
    #expect(late == 1 && third == 0)
    expect(market.files, market.names(of: Self.two))
    try await expect(market.store.picture(at: again.pictures[0].original, .original), Self.two)
  }

  @Test(arguments: Database.allCases)
  func `an edit lets go of the pictures that it replaces`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    let detail = try await market.register([Self.one])
    var patch = ProductPatch()
    patch.pictures = .list([.new(Self.two)])

    let edited = try await market.store.update(
      detail.id, with: patch, password: Password("secret"), by: .guest, expecting: nil)
    let swept = try await market.store.sweepPictures(unusedForSeconds: 0)

    #expect(swept == 1 && market.files == market.names(of: Self.two))
    try await expect(market.store.picture(at: edited.pictures[0].original, .original), Self.two)
  }

  @Test(arguments: Database.allCases)
  func `who registers a picture that is being swept is asked to come again`(
    _ database: Database
  ) async throws {
    let deletions = Gate<String, Void>(answersCancelledCalls: true)
    let market = try await OutsideMarket(database, deletions: deletions)
    let first = try await market.register("first", [Self.one])
    _ = try await market.store.remove(first.id)
    let store = market.store
    let sweep = Task { try await store.sweepPictures(unusedForSeconds: 0) }
    let call = try await deletions.next()

    await #expect(throws: RepositoryError.store(.locked)) {
      try await market.register("second", [Self.one])
    }
    call.answer(())
    try await deletions.next().answer(())
    let swept = try await sweep.value
    let again = try await market.register("second", [Self.one])

    expect(swept, 1)
    expect(market.files, market.names(of: Self.one))
    try await expect(market.store.picture(at: again.pictures[0].original, .original), Self.one)
  }

  @Test(arguments: Database.allCases)
  func `many register one picture at once, and all have it`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    let store = market.store

    let details = try await withThrowingTaskGroup(of: ProductDetail.self) { group in
      for number in 1...8 {
        group.addTask {
          try await store.register(
            .sample(pictures: [Self.one]), by: .guest,
            key: IdempotencyKey(rawValue: "\(number)"))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let swept = try await store.sweepPictures(unusedForSeconds: 0)

    expect(Set(details.flatMap(\.pictures)).count, 1)
    #expect(swept == 0 && market.files == market.names(of: Self.one))
  }

  @Test(arguments: Database.allCases)
  func `a file that is missing or another one is no picture`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    let detail = try await market.register([Self.one])
    let picture = try #require(detail.pictures.first)
    let hash = ContentHash.of(Self.one)

    for rendition in [PictureRendition.original, .thumbnail] {
      let name = ExternalPictures.name(of: hash, rendition)
      try await market.storage.put(Self.two, at: name)
      await #expect(throws: RepositoryError.self) {
        try await market.store.picture(at: picture.locator(of: rendition), rendition)
      }
      try await market.storage.delete(name)
      await #expect(throws: RepositoryError.self) {
        try await market.store.picture(at: picture.locator(of: rendition), rendition)
      }
    }
    // Sending it again repairs it.
    try await market.register("again", [Self.one])
    try await expect(market.store.picture(at: picture.original, .original), Self.one)
  }

  @Test(arguments: Database.allCases)
  func `a picture that comes again with another thumbnail keeps the one that it has`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    let detail = try await market.register("first", [Self.one])
    market.processor.thumbnailByteCount = 20

    let again = try await market.register("again", [Self.one, Self.two])

    expect(again.pictures.first, detail.pictures.first)
    for (picture, thumbnail) in zip(again.pictures, [Self.one.prefix(16), Self.two.prefix(20)]) {
      let found = try await market.store.picture(at: picture.thumbnail, .thumbnail)
      expect(found, Array(thumbnail))
    }
  }

  @Test(arguments: Database.allCases)
  func `a file that cannot be deleted leaves the others to the sweep, and is told`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    let files = (1...5).map { PictureFile.jpeg(UInt8($0)) }
    let detail = try await market.register(files)
    _ = try await market.store.remove(detail.id)
    let hashes = files.map { ContentHash.of($0) }
    let first = try #require(hashes.min { $0.lexicographicallyPrecedes($1) })
    let name = ExternalPictures.name(of: first, .original)
    try await market.storage.delete(name)
    // A folder, which `unlink` cannot delete.
    expect(mkdir(market.path(of: "pictures/" + name), 0o700), 0)

    let error = await #expect(throws: RepositoryError.self) {
      try await market.store.sweepPictures(unusedForSeconds: 0)
    }
    let next = try await market.store.sweepPictures(unusedForSeconds: 0)

    expect(market.files, [name])
    expect(error?.reason.contains(name), true)
    // It stays marked until the time of a turn is over.
    expect(next, 0)
  }

  @Test(arguments: Database.allCases)
  func `a folder on which nothing is mounted is not taken for the market's`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    try await market.register([Self.one])
    let (position, away) = (market.path(of: "pictures"), market.path(of: "away"))
    #expect(rename(position, away) == 0 && mkdir(position, 0o700) == 0)

    await #expect(throws: RepositoryError.self) {
      try await market.store.sweepPictures(unusedForSeconds: 0)
    }
    let isClaimed = access(position + "/market-id", F_OK) == 0
    #expect(rmdir(position) == 0 && rename(away, position) == 0)
    let swept = try await market.store.sweepPictures(unusedForSeconds: 0)

    #expect(!isClaimed && swept == 0)
    expect(access(position + "/market-id", F_OK), 0)
  }

  @Test(arguments: Database.allCases)
  func `pictures move out and in, and can be read all the time`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    let files = (1...5).map { PictureFile.jpeg(UInt8($0)) }
    let detail = try await market.uninformed.register(
      .sample(pictures: files), by: .guest, key: IdempotencyKey(rawValue: "key"))
    let (store, pictures) = (market.store, detail.pictures)
    async let reading: Void = {
      for _ in 1...20 { try await expectPictures(pictures, are: files, in: store) }
    }()
    let out = try await store.movePictures(.outward) { _ in }
    let outside = market.files.count
    try await expectPictures(pictures, are: files, in: store)
    await #expect(throws: RepositoryError.self) {
      try await market.uninformed.picture(at: pictures[0].original, .original)
    }
    let again = try await store.movePictures(.outward) { _ in }
    let back = try await store.movePictures(.inward) { _ in }
    try await reading
    let swept = try await store.sweepPictures(unusedForSeconds: 0)

    #expect(out == 5 && outside == 10 && again == 0 && back == 5)
    #expect(swept == 5 && market.files.isEmpty)
    try await expectPictures(pictures, are: files, in: store)
    try await expect(market.uninformed.picture(at: pictures[0].original, .original), files[0])
  }

  @Test(arguments: Database.allCases)
  func `a storage that fails while pictures move leaves each in one place`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    let detail = try await market.uninformed.register(
      .sample(pictures: [Self.one]), by: .guest, key: IdempotencyKey(rawValue: "key"))
    market.storage.fault = .losesAnswers

    await #expect(throws: RepositoryError.self) {
      try await market.store.movePictures(.outward) { _ in }
    }
    let before = try await market.uninformed.picture(at: detail.pictures[0].original, .original)
    market.storage.fault = .none
    let moved = try await market.store.movePictures(.outward) { _ in }

    #expect(before == Self.one && moved == 1)
    try await expect(market.store.picture(at: detail.pictures[0].original, .original), Self.one)
  }

  @Test(arguments: Database.allCases)
  func `a backup has the pictures inside, and nobody leaves them out in silence`(
    _ database: Database
  ) async throws {
    let market = try await OutsideMarket(database)
    let detail = try await market.register([Self.one, Self.two])
    for name in ["copy.sqlite", "other.sqlite"] {
      try FileContent(bytes: []).write(to: market.path(of: name))
    }

    try await market.store.backup(to: market.path(of: "copy.sqlite")) { _ in }
    await #expect(throws: RepositoryError.self) {
      try await market.uninformed.backup(to: market.path(of: "other.sqlite")) { _ in }
    }
    let copy = try await SQLiteStore.open(
      at: market.path(of: "copy.sqlite"), pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options())

    try await expectPictures(detail.pictures, are: [Self.one, Self.two], in: copy)
  }

  @Test(arguments: Database.allCases)
  func `an export finds pictures outside, and an import puts them there`(
    _ database: Database
  ) async throws {
    let source = try await OutsideMarket(database)
    let target = try await OutsideMarket(database)
    try await source.register([Self.one])

    let snapshot = try await source.store.snapshot()
    let product = try #require(try await snapshot.products(after: nil, atMost: 1).first)
    let name = try #require(product.pictures.first)
    let file = try #require(try await snapshot.file(ofPicture: name))
    var batch = ImportBatch()
    batch.products = [IncomingProduct(identity: [1], product: product)]
    batch.add(try await PassThroughPictureProcessor().prepare(file), named: name)
    let added = try await target.store.take(batch)

    #expect(file == Self.one && added == 1)
    expect(target.files, target.names(of: Self.one))
    try await expect(target.store.picture(at: name, .original), Self.one)
    try await expect(target.store.sweepPictures(unusedForSeconds: 0), 0)
  }

  @Test func `a copy of a market deletes nothing of the market's pictures`() async throws {
    let market = try await OutsideMarket(.sqlite)
    let detail = try await market.register([Self.one])
    _ = try await market.store.sweepPictures(unusedForSeconds: 0)
    // A copy beside the market, as cp makes it.
    await market.uninformed.close()
    await market.store.close()
    let content = try FileContent(of: market.path(of: "market.sqlite"))
    try content.write(to: market.path(of: "copy.sqlite"))
    var options = SQLiteStore.Options()
    options.outside = ExternalPictures(market.storage)
    let copy = try await SQLiteStore.open(
      at: market.path(of: "copy.sqlite"), pictureProcessor: PassThroughPictureProcessor(),
      options: options)
    _ = try await copy.remove(detail.id)

    let swept = try await copy.sweepPictures(unusedForSeconds: 0)

    expect(swept, nil)
    expect(market.files, market.names(of: Self.one))
  }
}

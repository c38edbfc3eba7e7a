import Glibc
import MarketModel
import SQLiteKit
import StoreCore

/// A market in one SQLite file: a repository of its products and the source of its pictures.
///
/// Lists, searches and pictures are read over connections of their own, so that a slow search
/// delays no page, and none of them waits for a write. All statements that belong together see one
/// state of the file.
package final class SQLiteStore: StoredMarket {
  let path: String
  let pages: StoreConnection
  let searches: StoreConnection
  let counts: StoreConnection
  let files: StoreConnection
  let writer: StoreConnection
  private let marks = OrderMarks()
  let versions: DataVersionReader
  package let signature = ServerSignature()
  package let words: ProductGrams
  package let passwords: PasswordHasher
  package let pictureProcessor: any PictureProcessor
  package let now: @Sendable () -> Int64

  init(path: String, pictureProcessor: any PictureProcessor, options: Options) {
    self.path = path
    var reading = Connection.Options(readsOnly: true, stopsWhenCancelled: true)
    reading.busyMilliseconds = options.busyMilliseconds
    pages = StoreConnection("pages", path: path, options: reading)
    searches = StoreConnection("searches", path: path, options: reading)
    counts = StoreConnection("counts", path: path, options: reading)
    files = StoreConnection("files", path: path, options: reading)
    let writing = Connection.Options(
      createsFile: options.createsFile, busyMilliseconds: options.busyMilliseconds,
      maximumPages: options.maximumPages)
    writer = StoreConnection("writer", path: path, options: writing)
    versions = DataVersionReader(path: path)
    words = ProductGrams(fold: options.fold)
    passwords = PasswordHasher(cost: options.passwordCost)
    self.pictureProcessor = pictureProcessor
    now = options.now
  }

  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    if request.query.findsNothing { return .nothing }
    let expression = words.expression(
      for: request.query.text, seller: request.query.seller?.rawValue)
    if let expression { return try await search(request, for: expression).get() }
    let marks = marks
    return try await read(request.walksAnOrder ? searches : pages) {
      connection throws(DatabaseError) in try connection.page(request, marks: marks)
    }.get()
  }

  package func page(
    _ request: PageRequest, of total: Int
  ) async throws(RepositoryError) -> ProductPage {
    let expression = words.expression(
      for: request.query.text, seller: request.query.seller?.rawValue)
    guard let expression, !request.query.findsNothing else { return try await page(request) }
    return try await search(request, for: expression, of: total).get()
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    let detail = try await read(pages) { connection throws(DatabaseError) in
      try connection.detail(of: id)
    }
    guard let detail else { throw .notFound }
    return detail
  }

  package func exactTotal(of query: ProductQuery) async throws(RepositoryError) -> Int {
    if query.findsNothing { return 0 }
    let expression = words.expression(for: query.text, seller: query.seller?.rawValue)
    if let expression {
      return try await exactTotal(of: expression, in: query.filters.states)
    }
    return try await read(pages) { connection throws(DatabaseError) in
      try connection.exactTotal(of: query)
    }
  }

  package func dataVersion() -> Int64? { versions.read() }

  package func clockSeconds() async throws(RepositoryError) -> Int64 { now() }

  /// Looks at the file without waiting for whoever writes to it.
  package func checkReadiness() async throws(RepositoryError) {
    try await read(pages) { connection throws(DatabaseError) in
      try connection.checkPlace()
      _ = try connection.integer("SELECT count(*) FROM server_key")
    }
    guard access(path, W_OK) == 0 else { throw .store(.readOnly) }
  }

  /// Runs a body that reads, over one of the connections.
  func read<Answer: Sendable>(
    _ connection: StoreConnection,
    _ body: @escaping @Sendable (Connection) throws(DatabaseError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    guard !Task.isCancelled else { throw .cancelled }
    do {
      return try await connection.use { connection throws(DatabaseError) in
        try connection.reading { () throws(DatabaseError) in try body(connection) }
      }
    } catch {
      throw RepositoryError(error)
    }
  }

  package func reading<Answer: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(DatabaseError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    try await read(pages, body)
  }

  package func asking<Answer: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(DatabaseError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    try await read(pages, body)
  }

  package func writing<Answer: Sendable>(
    isRepeatable: Bool,
    _ body: @escaping @Sendable (Connection) throws(DatabaseError) -> Outcome<Answer>
  ) async throws(RepositoryError) -> Answer {
    try await write { connection throws(DatabaseError) in
      do throws(DatabaseError) {
        return try connection.writingUnlessRefused { () throws(DatabaseError) in
          try body(connection)
        }
      } catch {
        throw error == .full && connection.hasSpentNumbers ? .damaged : error
      }
    }.get()
  }

  package func file(
    ofPicture hash: [UInt8], _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8]? {
    try await read(files) { connection throws(DatabaseError) in
      try connection.file(ofPicture: hash, rendition)
    }
  }

  /// The last connection to a file writes its log back and takes the files beside it away.
  package func close() async {
    versions.close()
    for connection in [pages, searches, counts, files, writer] { await connection.close() }
  }

  /// Runs a body over the connection that writes.
  func write<Answer: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(DatabaseError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do {
      return try await writer.use(body)
    } catch {
      throw RepositoryError(error)
    }
  }
}

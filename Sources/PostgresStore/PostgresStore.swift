import MarketModel
import StoreCore

/// A market in a PostgreSQL database: a repository of its products and the source of its pictures.
///
/// Any number of servers may share one. Searches have connections of their own, so that slow ones
/// delay no page. All statements that belong together see one state of the database.
package final class PostgresStore: StoredMarket {
  let address: String
  let connections: ConnectionPool
  let searches: ConnectionPool
  /// A connection that is free however busy the others are.
  private let watching: ConnectionPool
  let makeFile: MarketFileMaking
  let marks = OrderMarks()
  package let signature = ServerSignature()
  package let words: SearchWords
  package let passwords: PasswordHasher
  package let pictureProcessor: any PictureProcessor
  package let now: @Sendable () -> Int64

  private init(
    _ address: String, pictureProcessor: any PictureProcessor, options: Options
  ) {
    self.address = address
    let quick = PostgresOptions(patienceMilliseconds: options.patienceMilliseconds)
    connections = ConnectionPool(
      "pages", count: options.connectionCount, to: address, options: quick)
    let slow = PostgresOptions(patienceMilliseconds: options.searchPatienceMilliseconds)
    searches = ConnectionPool(
      "searches", count: options.searchConnectionCount, to: address, options: slow)
    watching = ConnectionPool("readiness", count: 1, to: address, options: quick)
    makeFile = options.makeFile
    words = SearchWords(fold: options.fold)
    passwords = PasswordHasher(cost: options.passwordCost)
    self.pictureProcessor = pictureProcessor
    now = options.now
  }

  /// Opens a market's database, and brings one of an older version up to date.
  ///
  /// - Parameters:
  ///   - address: `postgresql://...`; where it names no password, libpq looks in its own places.
  ///   - pictureProcessor: what makes uploaded pictures fit to be kept.
  ///   - options: see there.
  /// - Returns: the store, ready to be asked.
  /// - Throws: `.store` with the reason.
  package static func open(
    at address: String, pictureProcessor: any PictureProcessor, options: Options
  ) async throws(RepositoryError) -> PostgresStore {
    let store = PostgresStore(address, pictureProcessor: pictureProcessor, options: options)
    do {
      try await SchemaMigration(of: address, over: store.connections).run()
    } catch .disconnected(let reason) {
      throw .store(
        ConnectionRefusal.isFinal(at: address) ? .cannotOpen(reason) : .unavailable(reason))
    } catch {
      throw RepositoryError(error)
    }
    return store
  }

  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await page(request, counted: nil)
  }

  package func page(
    _ request: PageRequest, of total: Int
  ) async throws(RepositoryError) -> ProductPage {
    var page = try await page(request, counted: total)
    page.total = .exactly(total)
    return page
  }

  private func page(
    _ request: PageRequest, counted total: Int?
  ) async throws(RepositoryError) -> ProductPage {
    if request.query.findsNothing { return .nothing }
    guard let search = WordSearch(request.query.text, words: words) else {
      let marks = marks
      return try await read(request.walksAnOrder ? searches : connections) {
        connection throws(PostgresError) in try connection.page(request, marks: marks)
      }.get()
    }
    return try await read(searches) { connection throws(PostgresError) in
      try connection.page(request, of: search, counted: total)
    }.get()
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    let detail = try await read(connections) { connection throws(PostgresError) in
      try connection.detail(of: id, lock: .none, then: [.commit])
    }
    guard let detail else { throw .notFound }
    return detail
  }

  package func exactTotal(of query: ProductQuery) async throws(RepositoryError) -> Int {
    if query.findsNothing { return 0 }
    guard let search = WordSearch(query.text, words: words) else {
      return try await read(connections) { connection throws(PostgresError) in
        try connection.exactTotal(of: query)
      }
    }
    return try await read(searches) { connection throws(PostgresError) in
      try connection.total(of: search, in: query, atMost: nil)
    }
  }

  /// Nil: what other servers have changed cannot be told without asking the database.
  package func dataVersion() -> Int64? { nil }

  /// The database's clock: those of its servers may differ.
  package func clockSeconds() async throws(RepositoryError) -> Int64 {
    try await asking { connection throws(PostgresError) in
      try connection.run("SELECT floor(extract(epoch FROM now()))::bigint").first?.integer(0) ?? 0
    }
  }

  package func checkReadiness() async throws(RepositoryError) {
    let isReadOnly = try await ask(watching) { connection throws(PostgresError) in
      try connection.run(
        """
        SELECT CASE WHEN pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'
          THEN 1::bigint ELSE 0::bigint END FROM market_schema
        """
      ).first?.integer(0) != 0
    }
    if isReadOnly { throw .store(.readOnly) }
  }

  /// Runs a body that reads, in one transaction.
  func read<Answer: Sendable>(
    _ pool: ConnectionPool,
    _ body: @escaping @Sendable (PostgresConnection) throws(PostgresError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do {
      return try await pool.transact { connection throws(PostgresError) in
        try connection.reading { () throws(PostgresError) in try body(connection) }
      }
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Runs a body of one statement that reads, which needs no transaction around it.
  func ask<Answer: Sendable>(
    _ pool: ConnectionPool,
    _ body: @escaping @Sendable (PostgresConnection) throws(PostgresError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do {
      return try await pool.transact { connection throws(PostgresError) in
        try connection.asking { () throws(PostgresError) in try body(connection) }
      }
    } catch {
      throw RepositoryError(error)
    }
  }

  package func reading<Answer: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws(PostgresError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    try await read(connections, body)
  }

  package func asking<Answer: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws(PostgresError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    try await ask(connections, body)
  }

  package func file(
    ofPicture hash: [UInt8], _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8]? {
    try await asking { connection throws(PostgresError) in
      try connection.file(ofPicture: hash, rendition)
    }
  }

  package func writing<Answer: Sendable>(
    isRepeatable: Bool,
    _ body: @escaping @Sendable (PostgresConnection) throws(PostgresError) -> Outcome<Answer>
  ) async throws(RepositoryError) -> Answer {
    let outcome: Outcome<Answer>
    do {
      outcome = try await connections.transact(isRepeatable: isRepeatable) {
        connection throws(PostgresError) in
        try connection.writing { () throws(PostgresError) in try body(connection) }
      }
    } catch {
      throw RepositoryError(error)
    }
    return try outcome.get()
  }
}

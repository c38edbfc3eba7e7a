import Glibc
import MarketModel
import MarketStore
import PostgresStore
import PostgresTestSupport
import SQLiteKit
import StoreCore
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Database of a market; each one keeps the whole contract.
enum Database: CaseIterable {
  case sqlite, postgres

  /// Opens the market at a path or an address.
  func open(_ place: String, _ options: MarketOptions) async throws -> any StoredMarket {
    switch self {
    case .sqlite:
      var own = SQLiteStore.Options(
        createsFile: true, passwordCost: .least, busyMilliseconds: 30_000, now: options.now)
      (own.outside, own.tokenizer) = (options.outside, options.tokenizer)
      return try await SQLiteStore.open(
        at: place, pictureProcessor: options.pictureProcessor, options: own)
    case .postgres:
      var own = PostgresMarketStore.Options.forTests
      (own.now, own.outside, own.tokenizer) = (options.now, options.outside, options.tokenizer)
      // So that it counts what filters leave of all finds of these tests, as a file does.
      own.searchBounds.looked = 20_000
      return try await PostgresMarketStore.open(
        at: place, pictureProcessor: options.pictureProcessor, options: own)
    }
  }

  /// Checks that all that the tables at a path or an address say twice says the same.
  func expectConsistent(
    _ place: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    switch self {
    case .sqlite:
      try TransferTestSupport.expectConsistent(place, sourceLocation: sourceLocation)
    case .postgres:
      let sum = StoreConsistency.mistakes.map { "(\($0))" }.joined(separator: " + ")
      // The shell of the cluster says what is wrong.
      try Self.cluster().run(
        "DO $$ BEGIN IF \(sum) <> 0 THEN RAISE 'inconsistent tables'; END IF; END $$", at: place)
    }
  }

  /// The cluster of this run; where there can be none the test case is skipped.
  static func cluster() throws -> TestCluster {
    guard TestCluster.isPossible else { try Test.cancel(Comment(rawValue: TestCluster.hint)) }
    return try #require(TestCluster.shared)
  }
}

/// Options of a market that tests set; the others are the cheapest.
struct MarketOptions: Sendable {
  var now: @Sendable () -> Int64 = { Int64(time(nil)) }
  var pictureProcessor: any PictureProcessor = PassThroughPictureProcessor()
  var outside: ExternalPictures?
  var tokenizer = SearchTokenizer()
}

/// A market of its own for one test, empty at first, with a folder beside it.
struct ContractMarket: ~Copyable {
  /// The market as each of several programs has it open.
  let stores: [any StoredMarket]
  private let database: Database
  private let place: String
  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - database: where it is.
  ///   - options: of each program.
  ///   - count: how many programs open it at once.
  /// - Throws: what the first of them was answered.
  init(
    _ database: Database, _ options: MarketOptions = MarketOptions(), openedAtOnceBy count: Int = 1
  ) async throws {
    let folder = try TemporaryFolder()
    let place =
      switch database {
      case .sqlite: folder.path(of: "market.sqlite")
      case .postgres: try Database.cluster().emptySchema()
      }
    stores = try await withThrowingTaskGroup(of: (any StoredMarket).self) { group in
      for _ in 1...count { group.addTask { try await database.open(place, options) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    self.database = database
    self.place = place
    self.folder = folder
  }

  var store: any StoredMarket { stores[0] }

  /// Opens the market as another program does.
  func opened(_ options: MarketOptions = MarketOptions()) async throws -> any StoredMarket {
    try await database.open(place, options)
  }

  /// Checks that all that the tables say twice says the same.
  func expectConsistent(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try database.expectConsistent(place, sourceLocation: sourceLocation)
  }

  /// Runs a statement of SQL.
  func run(_ sql: String) throws {
    switch database {
    case .sqlite: try SQLiteConnection(opening: place, .init()).execute(sql)
    case .postgres: try Database.cluster().run(sql, at: place)
    }
  }

  /// The path of a file in the folder.
  func path(of name: String) -> String { folder.path(of: name) }
}

/// Clock of a market, which a test sets.
final class SecondsClock: Sendable {
  private let time = Mutex<Int64>(1_750_000_000)

  var seconds: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}

extension StoredMarket {
  /// Imports products, each as one that comes for the first time, and tells how many are new.
  @discardableResult
  func take(_ products: [ArchivedProduct], run: String = "") async throws -> Int {
    var batch = ImportBatch()
    batch.products = products.enumerated().map { number, product in
      IncomingProduct(identity: Array("\(run) \(number)".utf8), product: product)
    }
    return try await take(batch)
  }

  func take(_ batch: ImportBatch) async throws -> Int {
    let run = try await beginImport()
    let added = try await run.prepare(batch)().added
    try await run.finish()
    return added
  }
}

import MarketModel
import MarketStore
import StoreCore
import Synchronization
import TestSupport

/// A market in which something happens between a page and the texts of its products, or which has far
/// more products than its store.
final class InterruptedMarket: ServedMarket, RepositoryDecorator {
  typealias Interruption = @Sendable (SQLiteStore) async throws(RepositoryError) -> Void

  private let store: SQLiteStore
  var repository: any ProductRepository { RowlessRepository(repository: store) }
  private let interruption: Mutex<Interruption?>
  private let made: Int?
  private let pages = Mutex(0)
  private let asked = Mutex<[String]>([])

  /// What was asked of the market, in order.
  var operations: [String] { asked.withLock { $0 } }

  /// How many pages of made-up products were read.
  var pageCount: Int { pages.withLock { $0 } }

  /// A market of so many made-up products, whose pages have numbers.
  init(_ store: SQLiteStore, making count: Int) {
    self.store = store
    interruption = Mutex(nil)
    made = count
  }

  init(_ store: SQLiteStore, once interruption: @escaping Interruption) {
    self.store = store
    self.interruption = Mutex(interruption)
    made = nil
  }

  func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) async throws(RepositoryError) -> [String] {
    if let interruption = interruption.withLock({ $0.take() }) { try await interruption(store) }
    return try await store.descriptions(of: ids, atMost: characters)
  }
}

/// A market whose pages have no rows.
private struct RowlessRepository: RepositoryDecorator {
  let repository: any ProductRepository

  func perform<Answer: Sendable>(
    _ operation: RepositoryOperation,
    _ call: @Sendable () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer { try await call() }

  func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await repository.page(request.withoutRows)
  }
}

extension PageRequest {
  /// The request of a page whose texts are read after it.
  fileprivate var withoutRows: PageRequest {
    var request = self
    request.hasRows = false
    return request
  }
}

// Everything else is as in the store.
extension InterruptedMarket {
  func product(ofQuestion id: Question.ID) async throws(RepositoryError) -> Product.ID {
    try await store.product(ofQuestion: id)
  }

  func perform<Answer: Sendable>(
    _ operation: RepositoryOperation,
    _ call: @Sendable () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    asked.withLock { $0.append(operation.name) }
    return try await call()
  }

  func page(_ request: PageRequest, of total: Int) async throws(RepositoryError) -> ProductPage {
    guard let made, case .number(let number) = request.position else {
      return try await store.page(request.withoutRows, of: total)
    }
    pages.withLock { $0 += 1 }
    let first = (number - 1) * request.size
    var page = ProductPage.nothing
    page.products = (first..<max(first, min(made, first + request.size))).map {
      .sample(id: Int64(made - $0), created: 1_700_000_000)
    }
    return page
  }

  func exactTotal(of query: ProductQuery) async throws(RepositoryError) -> Int {
    if let made { return made }
    return try await store.exactTotal(of: query)
  }

  func delete(_ id: Product.ID, by author: Author) async throws(RepositoryError) -> ProductDetail {
    try await store.delete(id, by: author)
  }

  func picture(
    at locator: String, _ rendition: PictureRendition
  ) async throws(RepositoryError) -> [UInt8] {
    try await store.picture(at: locator, rendition)
  }

  func servedPicture(
    at locator: String, _ rendition: PictureRendition, for method: SignedAddress.Method
  ) async throws(RepositoryError) -> ServedPicture {
    try await store.servedPicture(at: locator, rendition, for: method)
  }

  func changeAttempts<Answer: Sendable>(
    on id: Product.ID, by origin: AttemptOrigin,
    _ change: @escaping @Sendable (inout PasswordAttempts) -> Answer
  ) async throws(RepositoryError) -> Answer {
    try await store.changeAttempts(on: id, by: origin, change)
  }

  func changes(
    after cursor: ChangeCursor?, atMost limit: Int
  ) async throws(RepositoryError) -> ChangeBatch {
    try await store.changes(after: cursor, atMost: limit)
  }

  func storedBytes() async throws(RepositoryError) -> Int64 { try await store.storedBytes() }

  func share(_ use: RateLimitUsage) async throws(RepositoryError) -> Int64? {
    try await store.share(use)
  }

  func authenticationCode(for message: [UInt8]) async throws(RepositoryError) -> [UInt8] {
    try await store.authenticationCode(for: message)
  }

  func clockSeconds() async throws(RepositoryError) -> Int64 { try await store.clockSeconds() }

  func checkReadiness(forWriting: Bool) async throws(RepositoryError) {
    try await store.checkReadiness(forWriting: forWriting)
  }

  func checkRoom() async throws(RepositoryError) { try await store.checkRoom() }

  func marketID() async throws(RepositoryError) -> MarketID? { try await store.marketID() }

  func ownMarketID() async throws(RepositoryError) -> MarketID? { try await store.ownMarketID() }

  func dataVersion() -> Int64? { store.dataVersion() }
}

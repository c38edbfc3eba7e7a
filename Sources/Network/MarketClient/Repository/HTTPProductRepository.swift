import MarketAPI
import MarketModel
import Synchronization

/// Repository behind an HTTP server.
///
/// The first call detects the server's dialect, which performs all further calls.
package final class HTTPProductRepository: ProductRepository, IdentifiedMarket {
  /// Dependencies of a repository.
  package struct Dependencies: Sendable {
    /// Returns true if an earlier process sent a registration with this key and its outcome is unknown.
    package var wasSentBefore: @Sendable (IdempotencyKey) async -> Bool
    /// Called with the progress of registrations and edits; nil reports none.
    package var onUpload: UploadObserver?

    package init(
      wasSentBefore: @escaping @Sendable (IdempotencyKey) async -> Bool = { _ in false },
      onUpload: UploadObserver? = nil
    ) {
      self.wasSentBefore = wasSentBefore
      self.onUpload = onUpload
    }
  }

  private let connection: ServerConnection
  private let dialects: DialectList
  private let spoken: (any MarketDialect)?
  private let cache: ResponseCache?
  private let dependencies: Dependencies
  /// Keys of this process's registrations whose outcome is unknown.
  private let unconfirmedKeys = Mutex<Set<IdempotencyKey>>([])
  private let known = Mutex<KnownServer?>(nil)
  private let probing = Mutex(Probing())
  private let pages = PageValidator()

  /// Progress of finding out what the server is.
  private struct Probing {
    /// Running probe, which all calls wait for.
    var task: Task<Result<KnownServer, RepositoryError>, Never>?
    /// Responses of the last probe, each of which answers one call.
    var answers: [RequestTarget: HTTPResponse] = [:]
    /// Time after which a response of the probe is out of date.
    var deadline: ContinuousClock.Instant?
    /// Whether a server that was known by a less preferred dialect has been asked for the others.
    var isChecked = false
  }

  /// Time for which a response of the probe may answer a call.
  private static let earlyAnswerAge = Duration.seconds(2)

  /// Creates a repository over a connection.
  ///
  /// `spoken` is the dialect that the user named; nil detects it. A nil `cache` caches nothing.
  package init(
    over connection: ServerConnection, knowing dialects: DialectList = .market,
    speaking spoken: (any MarketDialect)? = nil, cache: ResponseCache? = nil,
    dependencies: Dependencies = Dependencies()
  ) {
    self.connection = connection
    self.dialects = dialects
    self.spoken = spoken
    self.cache = cache
    self.dependencies = dependencies
  }

  /// Name of the server's dialect; nil before the first response.
  package var dialectName: String? { known.withLock { $0?.dialect.name } }

  /// Market id from the last response; sends no request, and is nil before the first response.
  package func marketID() -> MarketID? { known.withLock { $0?.marketID } }

  /// - Throws: `.unreachable` or `.badAnswer` if the dialect cannot be detected.
  package func capabilities() async throws(RepositoryError) -> RepositoryCapabilities {
    try await server().capabilities
  }

  /// - Throws: `.unsupported` for a query that the server does not support, else what the protocol says.
  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    let page = try await performing(reading: request) { server, line throws(RepositoryError) in
      // A server ignores parameters that it does not know and would return too many products.
      guard server.capabilities.answers(request.query) else { throw .unsupported }
      return try await server.dialect.page(request, over: line)
    }
    return pages.checked(page, for: request)
  }

  package func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal {
    try await performing { server, line throws(RepositoryError) in
      guard server.capabilities.answers(query) else { return .unknown }
      return try await server.dialect.total(of: query, over: line)
    }
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    try await product(answering: .detail(id))
  }

  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    _ = try await performing { server, line throws(RepositoryError) in
      try await server.dialect.perform(.verify(id, password, author), over: line)
    }
  }

  /// - Throws: `.invalid` for fields that the server lacks, else what the protocol says.
  package func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    let changed = try await product(
      answering: .update(
        ProductUpdate(
          id: id, patch: patch, password: password, author: author, expected: expected)))
    await evict(id)
    return changed
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    let deleted = try await product(answering: .delete(id, password, author))
    await evict(id)
    return deleted
  }

  /// Registers a product; a server without idempotency keys is first asked whether an earlier attempt
  /// with this key arrived.
  /// - Throws: `.invalid` for fields that the server lacks, else what the protocol says.
  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    if try await !server().capabilities.isIdempotent, await mayHaveArrived(key),
      let arrived = try await arrival(of: registration)
    {
      didConfirm(key)
      return arrived
    }
    do throws(RepositoryError) {
      let detail = try await product(answering: .register(registration, author, key))
      didConfirm(key)
      return detail
    } catch {
      if error.leavesOutcomeOpen { unconfirmedKeys.withLock { _ = $0.insert(key) } }
      throw error
    }
  }

  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller? {
    do throws(RepositoryError) {
      return try await seller(answering: .seller(identifier))
    } catch .notFound {
      return nil
    } catch {
      throw error
    }
  }

  package func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) async throws(RepositoryError) -> Seller {
    try await seller(answering: .changeSeller(identifier, change))
  }
}

extension HTTPProductRepository {
  /// Returns a page of questions; those about a product come from the cache if the server is
  /// unreachable.
  /// - Throws: what `QuestionRepository.questions(_:)` throws, and `.unsupported` for a server without
  ///   questions.
  package func questions(
    _ request: QuestionsRequest
  ) async throws(RepositoryError) -> QuestionPage {
    let result: MarketResult
    do throws(RepositoryError) {
      result = try await self.result(of: .page(request))
    } catch {
      guard case .unreachable = error, case .product = request.scope,
        let found = await cached({ dialect, line throws(RepositoryError) in
          try await dialect.perform(.question(.page(request)), over: line)
        })
      else { throw error }
      result = found.value
    }
    guard case .questions(let page) = result else { throw .unsupported }
    return page
  }

  package func ask(
    _ question: NewQuestion, about product: Product.ID, by asker: SellerIdentifier,
    key: IdempotencyKey
  ) async throws(RepositoryError) -> Question {
    let asked = try await self.question(answering: .ask(question, about: product, by: asker, key))
    await evict(product)
    return asked
  }

  package func answer(
    _ id: Question.ID, with answer: NewAnswer, by author: Author, password: Password?
  ) async throws(RepositoryError) -> Question {
    let answered = try await question(answering: .answer(id, answer, author, password))
    await evict(answered.product)
    return answered
  }

  package func deleteQuestion(
    _ id: Question.ID, by author: Author, password: Password?
  ) async throws(RepositoryError) {
    _ = try await result(of: .delete(id, author, password))
  }

  package func report(_ report: NewReport, by author: Author) async throws(RepositoryError) {
    _ = try await performing { server, line throws(RepositoryError) in
      try await server.dialect.perform(.report(report, author), over: line)
    }
  }

  private func question(
    answering operation: QuestionOperation
  ) async throws(RepositoryError) -> Question {
    guard case .question(let question) = try await result(of: operation) else {
      throw .unsupported
    }
    return question
  }

  private func result(
    of operation: QuestionOperation
  ) async throws(RepositoryError) -> MarketResult {
    try await performing { server, line throws(RepositoryError) in
      try await server.dialect.perform(.question(operation), over: line)
    }
  }
}

extension HTTPProductRepository: ProductCache {
  package func cachedCapabilities() async -> RepositoryCapabilities? {
    await cachedServer()?.capabilities
  }

  package func cachedPage(_ request: PageRequest) async -> Cached<ProductPage>? {
    // The server ignored parameters that it does not know and returned too many products.
    guard await cachedServer()?.capabilities.answers(request.query) == true else { return nil }
    return await cached { dialect, line throws(RepositoryError) in
      try await dialect.page(request, over: line)
    }
  }

  package func cachedProducts() async -> Cached<[Product]>? {
    guard let cache, let server = await cachedServer(),
      let targets = Self.pageTargets(of: server.dialect)
    else { return nil }
    var (products, known): ([Product], Set<Product.ID>) = ([], [])
    var oldest = Int64.max
    let base = connection.base
    for target in await cache.answers(of: base, to: targets, atMost: Self.maxCachedPages) {
      guard products.count < Self.maxCachedProducts else { break }
      let line = CacheOnlyPerformer(to: server, cache: cache, of: base, alwaysAt: target)
      guard let page = try? await server.dialect.page(PageRequest(), over: line),
        let seconds = line.seconds
      else { continue }
      products += page.products.filter { known.insert($0.id).inserted }
      oldest = min(oldest, seconds)
    }
    return products.isEmpty ? nil : Cached(products, at: oldest)
  }

  /// Maximum number of cached pages, and of their products, that an offline search reads.
  private static let (maxCachedPages, maxCachedProducts) = (500, 20_000)

  /// Common beginning of the targets of a dialect's pages; nil if it has no numbered pages.
  private static func pageTargets(of dialect: any MarketDialect) -> String? {
    func path(_ number: Int) -> String? {
      try? dialect.request(for: .page(PageRequest(position: .number(number)))).target.path
    }
    guard let first = path(1), let second = path(2) else { return nil }
    return first == second ? first + "?" : first.commonPrefix(with: second)
  }

  package func cachedDetail(of id: Product.ID) async -> Cached<ProductDetail>? {
    await cached { dialect, line throws(RepositoryError) in
      try await dialect.product(answering: .detail(id), over: line)
    }
  }

  /// Value that the dialect reads from cached responses; nil if there are none.
  private func cached<Value>(
    _ body: (any MarketDialect, any ServerRequestPerformer) async throws(RepositoryError) -> Value
  ) async -> Cached<Value>? {
    guard let cache, let server = await cachedServer() else { return nil }
    let line = CacheOnlyPerformer(to: server, cache: cache, of: connection.base)
    // A cached response that cannot be read any more counts as absent.
    guard let value = try? await body(server.dialect, line), let seconds = line.seconds else {
      return nil
    }
    return Cached(value, at: seconds)
  }
}

extension HTTPProductRepository {
  /// Returns the market's change source: the event stream of our own server, or polls of the first
  /// page, made while the user is present.
  package func changes(
    while presence: UserPresence, on clock: any Clock<Duration> = ContinuousClock()
  ) -> any ChangeSource {
    MarketChanges(
      own: StreamingChangeSource(over: connection, clock: clock),
      foreign: PollingChangeSource(of: self, while: presence, clock: clock)
    ) { [self] () async throws(RepositoryError) in
      try await server().announced.contains(.changes)
    }
  }

  /// Returns the server, which is probed by the first call, with the page that it reads where that is a
  /// first one.
  ///
  /// A provisional one is probed again by each first page.
  /// - Throws: what `ServerProbe.run(for:expecting:keeping:repetitions:)` throws.
  private func server(
    reading page: PageRequest? = nil
  ) async throws(RepositoryError) -> KnownServer {
    let first = page.flatMap { $0.position == .first && !$0.query.isNarrowed ? $0 : nil }
    if let known = known.withLock({ $0 }) {
      guard known.isProvisional, let first else { return known }
      // Whatever goes wrong leaves the server as it is known.
      return (try? await probed(for: first, repetitions: 0).get()) ?? known
    }
    return try await probed(for: first ?? PageRequest(), repetitions: ServerProbe.repetitions).get()
  }

  /// Waits for the running probe, or runs one.
  private func probed(
    for page: PageRequest, repetitions: Int
  ) async -> Result<KnownServer, RepositoryError> {
    let task = probing.withLock { probing in
      let task =
        probing.task
        ?? Task { [self] in
          let outcome = await probe(for: page, repetitions: repetitions)
          self.probing.withLock { $0.task = nil }
          return outcome
        }
      probing.task = task
      return task
    }
    return await task.value
  }

  private func probe(
    for page: PageRequest, repetitions: Int
  ) async -> Result<KnownServer, RepositoryError> {
    let probe = ServerProbe(connection: connection, dialects: dialects, cache: cache)
    let kept = spoken == nil ? await cachedServer()?.dialect.name : nil
    do throws(RepositoryError) {
      let found = try await probe.run(
        for: page, expecting: spoken, keeping: kept, repetitions: repetitions)
      await didFind(found, page)
      return .success(found.server)
    } catch {
      return .failure(error)
    }
  }

  private func didFind(_ found: ServerProbe.Finding, _ page: PageRequest) async {
    known.withLock { $0 = found.server }
    let deadline = ContinuousClock.now + Self.earlyAnswerAge
    let isChecked = probing.withLock { probing in
      (probing.answers, probing.deadline) = (
        found.answers.filter { $0.value.status.isSuccess }, deadline
      )
      defer { probing.isChecked = true }
      return probing.isChecked
    }
    guard !found.server.isProvisional else { return }
    await cache?.store(found.server.answer, of: connection.base, .server)
    // As it was known it answered; whether it has become more since is found out beside.
    let preferred = dialects.all.prefix { $0.name != found.server.dialect.name }
    if !isChecked, spoken == nil, found.answers.count == 1 {
      checkInBackground(
        page, for: DialectList(preferred.filter { $0.family != found.server.dialect.family }))
    }
  }

  /// Finds out whether the server speaks one of these dialects too, which are preferred.
  private func checkInBackground(_ page: PageRequest, for dialects: DialectList) {
    guard !dialects.all.isEmpty else { return }
    Task { [self] in
      let probe = ServerProbe(connection: connection, dialects: dialects, cache: nil)
      guard let found = try? await probe.run(for: page, expecting: nil) else { return }
      known.withLock { $0 = found.server }
      await cache?.store(found.server.answer, of: connection.base, .server)
    }
  }

  /// Returns a response of the probe, once and for seconds only.
  private func earlyAnswer(to request: HTTPRequest) -> HTTPResponse? {
    probing.withLock { probing in
      guard let deadline = probing.deadline else { return nil }
      // After a write of this program they are out of date as well.
      guard request.method == .get, ContinuousClock.now < deadline else {
        (probing.answers, probing.deadline) = ([:], nil)
        return nil
      }
      return probing.answers.removeValue(forKey: request.target)
    }
  }

  /// Server as cached when it last answered; nil if it was never reached or the user named another
  /// dialect.
  private func cachedServer() async -> KnownServer? {
    guard let entry = await cache?.entry(of: connection.base, .server),
      let server = KnownServer(
        cachedAs: entry.response, at: connection.base, among: dialects),
      spoken == nil || spoken?.name == server.dialect.name
    else { return nil }
    return server
  }

  /// Runs `body` with a performer, and caches the responses that it read.
  private func performing<Value: Sendable>(
    reading page: PageRequest? = nil,
    _ body: (KnownServer, any ServerRequestPerformer) async throws(RepositoryError) -> Value
  ) async throws(RepositoryError) -> Value {
    let server = try await server(reading: page)
    let line = RevalidatingPerformer(
      to: server, over: connection, cache: cache, onUpload: dependencies.onUpload
    ) { [self] in earlyAnswer(to: $0) }
    let value = try await body(server, line)
    // A dialect that the user named may have sent no request before, and another market may have moved
    // to the address.
    if let id = line.marketID, id != server.marketID { known.withLock { $0?.marketID = id } }
    await line.cacheResponses()
    return value
  }

  private func product(
    answering operation: MarketOperation
  ) async throws(RepositoryError) -> ProductDetail {
    try await performing { server, line throws(RepositoryError) in
      // A server ignores fields that it does not know.
      let lacking = server.capabilities.problems(of: operation)
      guard lacking.isEmpty else { throw .invalid(lacking) }
      return try await server.dialect.product(answering: operation, over: line)
    }
  }

  private func seller(
    answering operation: MarketOperation
  ) async throws(RepositoryError) -> Seller {
    let result = try await performing { server, line throws(RepositoryError) in
      try await server.dialect.perform(operation, over: line)
    }
    guard case .seller(let seller) = result else { throw .unsupported }
    return seller
  }

  private func evict(_ id: Product.ID) async {
    guard let dialect = known.withLock({ $0?.dialect }),
      let target = (try? dialect.request(for: .detail(id)))?.target
    else { return }
    await cache?.forget(.answer(target), of: connection.base)
  }

  private func arrival(
    of registration: ProductRegistration
  ) async throws(RepositoryError) -> ProductDetail? {
    try await performing { server, line throws(RepositoryError) in
      try await server.dialect.arrival(of: registration, over: line)
    }
  }

  private func mayHaveArrived(_ key: IdempotencyKey) async -> Bool {
    if unconfirmedKeys.withLock({ $0.contains(key) }) { return true }
    return await dependencies.wasSentBefore(key)
  }

  private func didConfirm(_ key: IdempotencyKey) {
    unconfirmedKeys.withLock { _ = $0.remove(key) }
  }
}

/// Validator of pages from a server: limits the number of products, removes duplicates, and drops a
/// next page that leads nowhere.
private final class PageValidator: Sendable {
  /// Last page; if the next one is equal, the server repeats itself.
  private let last = Mutex<(request: PageRequest, products: [Product.ID])?>(nil)

  func checked(_ page: ProductPage, for request: PageRequest) -> ProductPage {
    var page = page
    var known: Set<Product.ID> = []
    page.products = page.products.filter { known.insert($0.id).inserted }
    // More products than requested are kept, since a server may have a page size of its own.
    page.products = Array(page.products.prefix(PageRequest.sizes.upperBound))
    if !hasNext(page, from: request) { page.next = nil }
    last.withLock { $0 = (request, page.products.map(\.id)) }
    return page
  }

  private func hasNext(_ page: ProductPage, from request: PageRequest) -> Bool {
    guard !page.products.isEmpty || page.unreadableRows > 0 else { return false }
    switch (request.position, page.next) {
    case (_, nil): return false
    case (.number(let current), .number(let next)?) where next <= current: return false
    case (let current, let next?) where next == current: return false
    case (.first, _): return true
    default: return !isRepetition(page, of: request)
    }
  }

  private func isRepetition(_ page: ProductPage, of request: PageRequest) -> Bool {
    last.withLock { last in
      guard let last, last.request.query == request.query, !page.products.isEmpty,
        Self.follows(request.position, last.request.position)
      else { return false }
      return last.products == page.products.map(\.id)
    }
  }

  private static func follows(_ position: PagePosition, _ earlier: PagePosition) -> Bool {
    switch (earlier, position) {
    case (.first, .number(let number)): number == 2
    case (.number(let earlier), .number(let number)): number == earlier + 1
    case (_, .after): true
    case (_, .first), (.after, .number): false
    }
  }
}

extension RepositoryCapabilities {
  /// Errors for the fields that an operation sets and the market lacks.
  fileprivate func problems(of operation: MarketOperation) -> [FieldError] {
    let carrier: (any FieldCarrier)? =
      switch operation {
      case .register(let registration, _, _): registration
      case .update(let update): update.patch
      default: nil
      }
    return ProductField.allCases.filter { field in
      lackingFields.contains(field) && carrier?[field] ?? .absent != .absent
    }.map { FieldError($0, .lacking) }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}

import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

/// Reports of products and questions, over both databases.
struct ReportTests {
  private static let seller = Author.seller(SellerIdentifier(secret: "seller"))
  private static let asker = SellerIdentifier(secret: "asker")
  private static let reporter = Author.seller(SellerIdentifier(secret: "reporter"))

  private func product(in store: any StoredMarket) async throws -> Product {
    try await store.register(
      .sample(password: "secret"), by: Self.seller, key: IdempotencyKey(rawValue: "product")
    ).product
  }

  private func report(
    _ subject: Report.Subject, _ text: String = "", by author: Author, from network: String = "",
    in store: any StoredMarket
  ) async throws(RepositoryError) {
    var report = NewReport(subject, .fraud, text: text)
    report.network = network
    try await store.report(report, by: author)
  }

  @Test(arguments: Database.allCases)
  func `operators see what is reported, whose it is and the reporter's number, the newest first`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let product = try await product(in: store)
    let question = try await store.ask(
      NewQuestion(text: "Is it there?"), about: product.id, by: Self.asker,
      key: IdempotencyKey(rawValue: "a"))

    try await report(.product(product.id), " Money first. ", by: Self.reporter, in: store)
    try await report(.question(question.id), by: .guest, in: store)
    let reports = try await store.reports(below: nil, atMost: 10)
    let rest = try await store.reports(below: reports[0].id, atMost: 10)
    let asker = try #require(try await store.seller(of: Self.asker))
    let reporter = try #require(
      try await store.seller(of: SellerIdentifier(secret: "reporter")))

    expect(reports.map(\.subject), [.question(question.id), .product(product.id)])
    expect(reports.map(\.content), ["Is it there?", product.name])
    expect(reports.map(\.author), [asker.id, product.seller.id])
    expect(reports.map(\.reporter), [Seller.guest.id, reporter.id])
    expect(reports.map(\.text), ["", "Money first."])
    expect(reports.map(\.reason), [.fraud, .fraud])
    expect(rest, [reports[1]])
    try await expect(store.openReportCount(), 2)
  }

  @Test(arguments: Database.allCases)
  func `the same is reported once by each, also after it was dismissed`(_ database: Database)
    async throws
  {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store).id
    let known = RepositoryError.questionRefused(.alreadyReported)

    try await report(.product(id), by: Self.reporter, in: store)
    try await report(.product(id), by: .guest, from: "192.0.2.1", in: store)
    try await report(.product(id), by: .guest, from: "192.0.2.2", in: store)

    await #expect(throws: known) {
      try await report(.product(id), by: .guest, from: "192.0.2.1", in: store)
    }
    for open in try await store.reports(below: nil, atMost: 10) {
      try await store.dismissReport(open.id)
      await #expect(throws: RepositoryError.notFound) { try await store.dismissReport(open.id) }
      await #expect(throws: RepositoryError.notFound) { try await store.report(open.id) }
    }
    await #expect(throws: known) {
      try await report(.product(id), by: Self.reporter, in: store)
    }
    try await expect(store.openReportCount(), 0)
  }

  @Test(arguments: Database.allCases)
  func `what is gone, hidden, too long or sent by a blocked one is not reported`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store).id
    let question = try await store.ask(
      NewQuestion(text: "Is it there?"), about: id, by: Self.asker,
      key: IdempotencyKey(rawValue: "a"))
    let asker = try #require(try await store.seller(of: Self.asker))
    _ = try await store.setBlocked(true, asker.id)
    _ = try await store.setBlocked(true, Seller.guest.id)

    await #expect(throws: RepositoryError.notFound) {
      try await report(.product(Product.ID(rawValue: 99)), by: Self.reporter, in: store)
    }
    await #expect(throws: RepositoryError.notFound) {
      try await report(.question(question.id), by: Self.reporter, in: store)
    }
    await #expect(
      throws: RepositoryError.invalid([FieldError(.description, .tooLong(maximum: 200))])
    ) {
      try await report(
        .product(id), String(repeating: "a", count: 201), by: Self.reporter, in: store)
    }
    for blocked in [Author.seller(Self.asker), .guest] {
      await #expect(throws: RepositoryError.blocked) {
        try await report(.product(id), by: blocked, in: store)
      }
    }
    try await expect(store.openReportCount(), 0)
  }

  @Test(arguments: Database.allCases)
  func `a report goes with its question or product`(_ database: Database) async throws {
    let market = try await ContractMarket(database)
    let store = market.store
    let id = try await product(in: store).id
    let question = try await store.ask(
      NewQuestion(text: "Is it there?"), about: id, by: Self.asker,
      key: IdempotencyKey(rawValue: "a"))
    try await report(.question(question.id), by: Self.reporter, in: store)
    try await report(.product(id), by: Self.reporter, in: store)

    try await store.removeQuestion(question.id)
    try await expect(store.reports(below: nil, atMost: 10).map(\.subject), [.product(id)])
    _ = try await store.remove(id)
    try await expect(store.openReportCount(), 0)
  }
}

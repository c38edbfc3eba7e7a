import Expectations
import ForgedMarkets
import MarketModel
import MarketStore
import SQLiteKit
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// Forged market files: with any content the program continues and can report what is wrong.
final class ForgedMarketTests {
  private let folder: TemporaryFolder
  private let path: String
  private let forgery: MarketForgery

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "forged.sqlite")
    forgery = try await MarketForgery(schemaFolder: "Resources/schema", at: path)
  }

  /// Opens a copy that a script has changed.
  private func opened(changedBy script: String) async throws -> SQLiteStore {
    try forgery.write(changedBy: script, to: path)
    return try await SQLiteStore.open(path)
  }

  /// Errors must have messages, since an error number of SQLite does not help a user.
  private func expectTellable(_ failures: [RepositoryError], _ what: String) {
    for failure in failures {
      if case .store(.failed(let code)) = failure { Issue.record("\(what): SQLite \(code)") }
    }
  }

  @Test func `forty forged files end no program and leave no riddle`() async throws {
    var random = SeededRandom(seed: 2026)

    for number in 0..<40 {
      let bytes = (0..<48).map { _ in UInt8.random(in: 0...255, using: &random) }
      forgery.write(by: bytes, to: path)

      expectTellable(await ForgedMarketVisit(path).failures, "file \(number)")
    }
  }

  @Test(arguments: [
    "UPDATE product SET id = -9223372036854775808 WHERE id = 1",
    "UPDATE product SET id = 9223372036854775807 WHERE id = 6",
    "UPDATE block SET state_0 = -9223372036854775808",
    "UPDATE block SET state_0 = 9223372036854775807, state_1 = 9223372036854775807",
    "UPDATE block SET number = 70368744177663 WHERE level = 2",
    "UPDATE password_attempt SET last = -9223372036854775808",
    "UPDATE password_attempt SET last = 9223372036854775807, wrong = 9223372036854775807",
    "INSERT INTO password_limit VALUES (2, -9223372036854775808)",
    "UPDATE product SET price = 9223372036854775807, discount = -9223372036854775808",
    "UPDATE product SET stock = -1, version = 9223372036854775807",
    "UPDATE product SET created = 9223372036854775807, changed = -9223372036854775808",
    "UPDATE seller SET id = -9223372036854775808 WHERE id = 0",
    "UPDATE seller SET name = hex(zeroblob(3000000))",
    "UPDATE product SET name = hex(zeroblob(3000000))",
    "UPDATE password SET hash = '$argon2id$v=19$m=99999999,t=9,p=1$c2FsdHNhbHQ$aGFzaA'",
    "UPDATE picture SET hash = zeroblob(5000000) WHERE id = 1",
    "DROP TABLE block", "DROP TABLE product_grams", "ALTER TABLE product RENAME stock TO pieces",
  ])
  func `a value that cannot be ends no program`(_ script: String) async throws {
    try forgery.write(changedBy: script, to: path)

    expectTellable(await ForgedMarketVisit(path).failures, script)
  }

  @Test func `a product without a possible number is a damaged market`() async throws {
    let store = try await opened(
      changedBy: "UPDATE product SET id = -9223372036854775808 WHERE id = 1")

    await #expect(throws: RepositoryError.store(.damaged)) {
      try await store.page(PageRequest(query: ProductQuery(order: .newest)))
    }
  }

  @Test func `a market that has given its last number is damaged, not full`() async throws {
    let store = try await opened(
      changedBy: "UPDATE sqlite_sequence SET seq = 9223372036854775807")

    await #expect(throws: RepositoryError.store(.damaged)) { try await store.register(.sample()) }
  }

  @Test func `texts of a file are as long as texts may be`() async throws {
    let store = try await opened(
      changedBy: """
        UPDATE product SET name = 'a' || replace(hex(zeroblob(500000)), '00', char(0x301));
        UPDATE seller SET name = 'b' || replace(hex(zeroblob(500000)), '00', char(0x301));
        UPDATE product_text SET description = hex(zeroblob(500000));
        """)

    let page = try await store.page(PageRequest())
    let detail = try await store.detail(of: Product.ID(rawValue: 1))

    expect(page.products.count, 6)
    #expect(page.products.allSatisfy { TextLimit.productName.allows($0.name) })
    #expect(page.products.allSatisfy { TextLimit.sellerName.allows($0.seller.name) })
    #expect(TextLimit.description.allows(detail.description))
  }

  @Test func `a seller at the lowest number leaves room for others`() async throws {
    let lowest = StoredNumbers.lowestCountedSellerID
    let store = try await opened(
      changedBy: """
        INSERT INTO seller (id, name) VALUES (-9223372036854775807, 'a'), (\(lowest), 'b'),
          (\(lowest + 1), 'c');
        """)

    try await store.seed(.mugs(2))

    let sellers = try await store.page(PageRequest(size: 2)).products.map(\.seller.id.rawValue)
    expect(sellers, [-2, -1])
  }
}

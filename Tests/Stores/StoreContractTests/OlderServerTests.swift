import MarketModel
import TestSupport
import Testing
import TransferTestSupport

/// Rows as servers leave them that know fewer fields, on the same tables.
@Suite(.timeLimit(.minutes(1))) struct OlderServerTests {
  private let secret = Password("secret")

  @Test(arguments: Database.allCases)
  func `an edit by a server that does not know a field leaves it`(_ database: Database) async throws
  {
    let market = try await ContractMarket(database)
    let before = try await market.store.register(.full())

    try market.run("UPDATE product SET name = 'renamed', version = version + 1 WHERE id = 1")

    let after = try await market.opened().detail(of: before.id)
    var expected = before.fieldValues
    expected[.name] = .text("renamed")
    #expect(after.fieldValues == expected && after.product.isReserved)
    var query = ProductQuery(filters: [.reserved])
    query.place = "seoul"
    #expect(try await market.opened().page(PageRequest(query: query)).products == [after.product])
  }

  @Test(arguments: Database.allCases)
  func `an edit leaves the words of a newer server that it does not change`(_ database: Database)
    async throws
  {
    let market = try await ContractMarket(database)
    let id = try await market.store.register(.full()).id
    try market.run("UPDATE product SET category = 'boats', condition = 'antique' WHERE id = 1")

    var patch = ProductPatch(stock: 5)
    patch.place = "Busan"
    let edited = try await market.store.update(
      id, with: patch, password: secret, by: .guest, expecting: nil)

    #expect(edited.product.category == nil && edited.product.condition == nil)
    #expect(edited.product.place == "Busan" && edited.product.isReserved)
    try market.run("UPDATE product SET name = category || ' ' || condition || ' ' || place_key")
    #expect(try await market.opened().detail(of: id).product.name == "boats antique busan")
  }

  @Test func `a reservation ends with the stock that such a server sets`() async throws {
    let market = try await ContractMarket(.postgres)
    let id = try await market.store.register(.full()).id

    for stock in [0, 3] {
      try market.run("UPDATE product SET stock = \(stock), version = version + 1 WHERE id = 1")
    }

    let product = try await market.opened().detail(of: id).product
    #expect(product.stock == 3 && !product.isReserved && product.place == "Seoul, Mapo")
  }

  @Test(arguments: Database.allCases)
  func `what such a server sold is not reserved, and is not again once there is more`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let id = try await market.store.register(.full()).id
    _ = try await market.store.update(
      id, with: ProductPatch(stock: 0), password: secret, by: .guest, expecting: nil)

    // As it would be, had that server sold it.
    try market.run("UPDATE product SET reserved = 1 WHERE id = 1")

    let store = try await market.opened()
    let detail = try await store.detail(of: id)
    #expect(!detail.product.isReserved && detail.product.place == "Seoul, Mapo")
    for filter in ProductFilter.allCases where filter != .reduced {
      let found = try await store.page(PageRequest(query: ProductQuery(filters: [filter])))
      #expect(found.products.isEmpty == ![.sold, .unreserved].contains(filter), "\(filter)")
      #expect(found.total == .exactly(found.products.count))
      var near = ProductQuery(filters: [filter])
      (near.place, near.text) = ("seoul", "bike")
      #expect(try await store.page(PageRequest(query: near)).products == found.products)
    }
    #expect(try await store.archivedProducts().map(\.isReserved) == [false])

    let again = try await store.update(
      id, with: ProductPatch(stock: 5), password: secret, by: .guest, expecting: nil)
    #expect(!again.product.isReserved)
    try market.expectConsistent()
  }
}

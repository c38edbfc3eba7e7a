import Expectations
import MarketModel
import MarketStore
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

@testable import MarketTransfer

/// What the formats of export and import do for every field of a product, whichever there are.
struct ArchiveFieldTests {
  private static let now: Int64 = 1_750_000_000
  private static let line = #"""
    {"id":41,"name":"Road bike, 54 cm","description":"Ridden for one summer.","currency":"USD",\#
    "price":4321,"discount":21,"stock":77,\#

    """#
  private static let seller =
    #""seller":{"id":17,"name":"Ana"}"#

  /// Sets back the fields that not every market has.
  private static func plain<Carrier: FieldCarrier>(_ carrier: Carrier) -> Carrier {
    var carrier = carrier
    for field in ProductField.valued where !field.isInEveryMarket {
      carrier.set([field: field.standard].compactMapValues(\.self))
    }
    return carrier
  }

  @Test func `a line has all that a market holds, in an order that stays`() throws {
    let product = Self.plain(ArchivedProduct.full)

    let line = ProductLine.bytes(product, pictures: ["front.jpg", "back.jpg"])

    let hash = (0..<32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let askerHash = hash.dropFirst(2) + "20"
    expect(
      String(decoding: line, as: UTF8.self),
      Self.line
        + #""created":1600000001,"changed":1700000002,"version":5,"#
        + #""seller":{"id":17,"name":"Ana","identifierHash":"\#(hash)","#
        + #""contact":"ana@example.com"},"#
        + #""passwordHash":"\#(product.passwordHash)","pictures":["front.jpg","back.jpg"],"#
        + #""questions":[{"question":{"id":9,"product_id":41,"text":"Is it there?","offer":40,"#
        + #""currency":"USD","asker":"Mina","asked_at":"2022-04-15T05:20:00Z","answer":"Yes.","#
        + #""answered_at":"2022-04-15T05:21:00Z"},"#
        + #""asker":{"id":18,"name":"Mina","identifierHash":"\#(askerHash)"}}]}"# + "\n")
    try expect(ProductLine.product(line.dropLast(), now: Self.now).product, product)
  }

  @Test func `what is shown has the same names`() {
    var detail = Self.plain(ProductDetail.full())
    let dates = #""created":1600000001,"changed":1700000002,"#
    let counts = #""questionCount":7,"unansweredCount":3,"#
    let end = Self.seller + ",\"priceToPay\":4300}\n"

    expect(
      String(decoding: ProductLine.bytes(detail), as: UTF8.self), Self.line + dates + counts + end)
    (detail.questionCount, detail.unansweredCount) = (0, 0)
    expect(String(decoding: ProductLine.bytes(detail), as: UTF8.self), Self.line + dates + end)
    expect(
      ProductLine.bytes(detail.product, description: detail.description), ProductLine.bytes(detail))
  }

  @Test func `a product with an address says it behind its number`() throws {
    let market = try #require(WebAddress("https://market.example/m"))
    let detail = ProductDetail.full()
    let address = try #require(ProductAddress(detail.id, in: market))

    let plain = String(decoding: ProductLine.bytes(detail), as: UTF8.self)
    let line = String(decoding: ProductLine.bytes(detail, at: address), as: UTF8.self)

    let url = #","url":"https://market.example/m/products/\#(detail.id.rawValue)""#
    #expect(line.contains(#""id":\#(detail.id.rawValue)"# + url))
    expect(line.replacing(url, with: ""), plain)
    expect(
      ProductLine.bytes(detail.product, description: detail.description, at: address),
      ProductLine.bytes(
        ProductDetail(
          product: detail.product, description: detail.description, pictures: [], version: nil),
        at: address))
  }

  @Test(arguments: ProductField.valued)
  func `a line brings every field back`(_ field: ProductField) throws {
    let line = ProductLine.bytes(.full, pictures: [])

    let product = try ProductLine.product(line.dropLast(), now: Self.now).product

    expect(product[field], FieldSample[field].value)
  }

  @Test(arguments: ProductField.valued)
  func `a table brings every field back`(_ field: ProductField) async throws {
    let markets = try TransferMarkets()
    let record = ProductTable.bytes(.full)
    try markets.write(
      String(decoding: ProductTable.header() + record, as: UTF8.self), to: "a.csv")
    var source = try TableSource(InputFile(path: markets.path(of: "a.csv")), now: Self.now)

    let product = try #require(try source.next()).product.get().product

    expect(product[field], FieldSample[field].value)
    #expect(product.created == 1_600_000_001 && product.changed == 1_700_000_002)
  }

  @Test(arguments: ProductField.valued.filter { $0.isOptional })
  func `what is left out of a product is left out when it comes back`(
    _ field: ProductField
  ) async throws {
    let markets = try TransferMarkets()
    let standard = try #require(field.standard)
    var product = ArchivedProduct.full
    product.set(product.fieldValues.merging([field: standard]) { $1 })
    let table = ProductTable.header() + ProductTable.bytes(product)
    try markets.write(String(decoding: table, as: UTF8.self), to: "a.csv")
    var source = try TableSource(InputFile(path: markets.path(of: "a.csv")), now: Self.now)

    let line = ProductLine.bytes(product, pictures: [])

    expect(product[field], standard)
    try expect(ProductLine.product(line.dropLast(), now: Self.now).product[field], standard)
    try expect(#require(try source.next()).product.get().product[field], standard)
  }

  @Test func `a table has its columns in an order that stays, further ones behind the stock`()
    throws
  {
    let table = ProductTable.header() + ProductTable.bytes(Self.plain(.full))

    let records = String(decoding: table, as: UTF8.self).split(separator: "\r\n")
    let (start, end) = (
      "\u{FEFF}id,name,description,currency,price,discount,stock",
      "seller,created,changed,version,market"
    )
    expect(records.first?.hasPrefix(start + ","), true)
    expect(records.first?.hasSuffix("," + end), true)
    expect(
      records.last?.hasPrefix("41,\"Road bike, 54 cm\",Ridden for one summer.,USD,4321,21,77,"),
      true)
    expect(records.last?.hasSuffix(",Ana,2020-09-13T12:26:41Z,2023-11-14T22:13:22Z,5,"), true)
  }

  @Test(arguments: ["ndjson", "csv"])
  func `a product goes out of a market and into another with all its fields`(
    ending: String
  ) async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let registered = try await store.register(.full())
    try await markets.exporting(store, to: "a.\(ending)")

    let copy = try await markets.store("b.sqlite")
    let (_, problems) = try await markets.importing("a.\(ending)", into: copy)

    let product = try #require(try await copy.page(PageRequest()).products.first)
    let detail = try await copy.detail(of: product.id)
    expect(problems, [])
    for field in ProductField.valued {
      expect(registered[field], FieldSample[field].value)
      expect(detail[field], FieldSample[field].value)
    }
    expect(detail.pictures.count, ending == "csv" ? 0 : 2)
  }
}

import Expectations
import Glibc
import MarketModel
import MarketStore
import MarketStrings
import SafeTextKit
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

@testable import MarketTransfer

struct ImportProblemTests {
  private static let lines = """
    {"name":"good","price":1000}

    not json
    {"name":"","price":1000}
    {"name":"no price"}
    {"name":"x","price":10,"discount":11}
    {"name":"x","price":-1}
    {"name":"x","price":"dear"}
    {"name":"x","price":1,"currency":"EUR"}
    {"name":"x","price":1,"stock":-1}
    {"name":"x","price":1,"pictures":["../../etc/passwd"]}
    {"name":"x","price":1,"pictures":["missing.jpg"]}
    {"name":"x","price":1,"seller":{"name":"s","identifierHash":"zz"}}
    {"name":"x","price":1,"passwordHash":"plain"}
    {"name":"x","price":1,"created":"yesterday"}
    {"name":"also good","price":12.5,"currency":"USD","created":"2024-02-29T10:20:30Z","unknown":[1]}
    """

  @Test func `each bad line is told by its number and reason, the others are taken`() async throws {
    let markets = try TransferMarkets()
    try markets.write(Self.lines, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    let (summary, problems) = try await markets.importing("a.ndjson", into: store)

    expect(summary, ImportRun.Summary(added: 2, refused: 13))
    expect(
      problems.map { $0.text(Strings(.english)).string },
      [
        "line 3: not a JSON object", "line 4: name: Required", "line 5: price: Required",
        "line 6: discount: More than the price (10)",
        "line 7: price: Cannot be below 0",
        "line 8: price: “dear”: Not an amount, such as 12,000 or 12.50",
        "line 9: currency: This market takes KRW, USD; choose one of them",
        "line 10: stock: Cannot be below 0", "line 11: picture file not found: ../../etc/passwd",
        "line 12: picture file not found: missing.jpg",
        "line 13: seller: “zz”: Not a seller in export format",
        "line 14: passwordHash: “…”: Not a password hash in export format",
        "line 15: created: “yesterday”: Not a date, such as 2024-02-29",
      ])
    let page = try await store.page(PageRequest())
    expect(page.products.map(\.name), ["also good", "good"])
    expect(page.products.first?.created, Timestamp(seconds: 1_709_202_030))
  }

  @Test func `a strict run takes nothing where anything is wrong`() async throws {
    let markets = try TransferMarkets()
    try markets.write(Self.lines, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    let (summary, problems) = try await markets.importing("a.ndjson", into: store, isStrict: true)

    expect(summary, ImportRun.Summary(refused: 13))
    expect(problems.count, 13)
    try await expect(store.page(PageRequest()).total, .exactly(0))
  }

  @Test func `columns come in any order, and bad records are told`() async throws {
    let markets = try TransferMarkets()
    try markets.write(
      "\u{FEFF}price,name,description\r\n1000,=1+1,\"two\r\nlines\"\r\n5,x\r\n7,\"a\"b,c\r\n,y,z\r\n",
      to: "a.csv")
    let store = try await markets.store("a.sqlite")

    let (summary, problems) = try await markets.importing("a.csv", into: store)

    expect(summary, ImportRun.Summary(added: 1, refused: 3))
    expect(problems.map(\.line), [4, 5, 6])
    let product = try #require(try await store.page(PageRequest()).products.first)
    expect(product.name, "=1+1")
    try await expect(store.detail(of: product.id).description, "two\r\nlines")
  }

  @Test func `a table without the columns of a product is none`() async throws {
    let markets = try TransferMarkets()
    try markets.write("a,b\r\n1,2\r\n", to: "a.csv")
    let store = try await markets.store("a.sqlite")

    let missing = MissingColumns(
      found: ["a", "b"], guesses: [.init(column: "name"), .init(column: "price")])
    await #expect(throws: TransferError.noColumns(missing)) {
      _ = try await markets.importing("a.csv", into: store)
    }
  }

  @Test(arguments: [true, false])
  func `a market file is not read as lines of products`(isStrict: Bool) async throws {
    let markets = try TransferMarkets()
    try markets.write("SQLite format 3\0\u{1}\n{\"name\":\"mug\",\"price\":1000}\n", to: "b.sqlite")
    let store = try await markets.store("a.sqlite")

    let error = TransferError.holdsMarket(path: markets.path(of: "b.sqlite"))
    await #expect(throws: error) {
      _ = try await markets.importing("b.sqlite", into: store, isStrict: isStrict)
    }
    #expect(try await store.page(PageRequest()).products.isEmpty)
  }

  @Test func `equal lines are as many products, once`() async throws {
    let markets = try TransferMarkets()
    let line = #"{"name":"mug","price":1000}"# + "\n"
    try markets.write(line + line + line, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    for _ in 1...2 { _ = try await markets.importing("a.ndjson", into: store) }

    try await expect(store.page(PageRequest()).total, .exactly(3))
  }

  @Test func `texts and numbers out of all proportion are told by their field`() async throws {
    let markets = try TransferMarkets()
    let long = "a" + String(repeating: "\u{301}", count: 900_000)
    try markets.write(
      """
      {"name":"\(long)","price":1}
      {"name":"x","description":"\(long)","price":1}
      {"name":"x","price":1,"seller":"\(long)"}
      {"name":"x","price":1,"version":9223372036854775807}
      {"name":"x","price":1,"currency":"\(long)"}
      {"name":"x","price":1e400}
      """, to: "a.ndjson")
    try markets.write("name,price,seller\n\(long),1,\nx,1,\(long)\n", to: "a.csv")
    let store = try await markets.store("a.sqlite")

    let lines = try await markets.importing("a.ndjson", into: store).problems
    let records = try await markets.importing("a.csv", into: store).problems

    let value = String(String.UnicodeScalarView(long.unicodeScalars.prefix(40)))
    expect(
      lines.map(\.reason),
      [
        .field(FieldError(.name, .tooLong(maximum: 1_000))),
        .field(FieldError(.description, .tooLong(maximum: 100_000))),
        .unreadable("seller", value: value, .seller),
        .unreadable("version", value: "9223372036854775807", .number),
        .field(FieldError(.currency, .unsupportedCurrency([.krw, .usd]))),
        .unreadable("price", value: "1e400", .field(.price)),
      ])
    expect(
      records.map(\.reason),
      [
        .field(FieldError(.name, .tooLong(maximum: 1_000))),
        .unreadable("seller", value: value, .seller),
      ])
    try await expect(store.page(PageRequest()).total, .exactly(0))
  }

  @Test func `the longest texts that a market takes go out and come in again`() async throws {
    let markets = try TransferMarkets()
    let one = try await markets.store("a.sqlite")
    let other = try await markets.store("b.sqlite")
    let product = try await one.register(
      .sample(
        name: String(repeating: "\u{0}", count: 1_000),
        description: String(repeating: "\u{1}", count: 100_000)))

    for name in ["a.ndjson", "a.csv"] {
      try await markets.exporting(one, to: name)
      let (summary, problems) = try await markets.importing(name, into: other)
      #expect(summary.added == 1 && problems.isEmpty)
    }

    let copies = try await other.page(PageRequest()).products
    expect(copies.map(\.name), [product.product.name, product.product.name])
  }

  @Test func `a line that is too long is passed over`() async throws {
    let markets = try TransferMarkets()
    let long = String(repeating: "x", count: 129 << 20)
    try markets.write(long + "\n" + #"{"name":"mug","price":1000}"#, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    let (summary, problems) = try await markets.importing("a.ndjson", into: store)

    expect(summary, ImportRun.Summary(added: 1, refused: 1))
    expect(problems, [ImportProblem(line: 1, reason: .tooLong(128 << 20))])
  }

  @Test func `a product number out of all proportion is not kept`() async throws {
    let markets = try TransferMarkets()
    try markets.write(
      #"{"id":9223372036854775807,"name":"mug","price":1000}"# + "\n"
        + #"{"id":-5,"name":"cup","price":1000}"#, to: "a.ndjson")
    let store = try await markets.store("a.sqlite")

    _ = try await markets.importing("a.ndjson", into: store)

    try await expect(store.page(PageRequest()).products.map(\.id.rawValue), [2, 1])
    _ = try await store.register(.sample())
  }
}

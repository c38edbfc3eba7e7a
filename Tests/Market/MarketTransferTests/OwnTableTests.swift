import Expectations
import MarketModel
import MarketStore
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

@testable import MarketTransfer

/// Tables of a market's own products, which change what they name.
final class OwnTableTests {
  private let markets: TransferMarkets
  private let store: SQLiteStore
  private let market: String

  init() async throws {
    markets = try TransferMarkets()
    store = try await markets.store("a.sqlite")
    try markets.write(
      "name,price,currency,discount,stock,description\n"
        + "의자★,12000,KRW,2000,3,\"첫 줄\n둘째 줄 😀\"\nLamp,20,USD,5,1,\n",
      to: "first.csv")
    _ = try await markets.importing("first.csv", into: store)
    market = try #require(try await store.ownMarketID()).text
  }

  /// Imports rows of the market, each with its id and version 1.
  private func importing(
    _ columns: String, _ rows: String...
  ) async throws -> (summary: ImportRun.Summary, problems: [ImportProblem.Reason]) {
    let lines = rows.enumerated().map { "\(market),\($0 + 1),1,\($1)" }
    try markets.write(
      (["market,id,version,\(columns)"] + lines).joined(separator: "\n"), to: "b.csv")
    let (summary, problems) = try await markets.importing("b.csv", into: store)
    return (summary, problems.map(\.reason))
  }

  private func product(_ id: Int64) async throws -> ProductDetail {
    try await store.detail(of: Product.ID(rawValue: id))
  }

  @Test func `a row changes only the columns that the table has`() async throws {
    let (summary, problems) = try await importing("stock,place", "7,Mapo", ",")

    expect(problems, [])
    expect(summary, ImportRun.Summary(changed: 1, known: 1))
    let chair = try await product(1)
    #expect(chair[.stock] == .number(7) && chair[.place] == .text("Mapo"))
    #expect(chair[.name] == .text("의자★") && chair[.price] == .amount(1_200_000))
    #expect(chair[.discount] == .amount(200_000) && chair[.currency] == .code("KRW"))
  }

  @Test func `amounts without a currency are of the product's own`() async throws {
    let (summary, problems) = try await importing("price,discount", "13000,", "21.50,1.50")

    expect(problems, [])
    expect(summary, ImportRun.Summary(changed: 2))
    let (chair, lamp) = (try await product(1), try await product(2))
    #expect(chair[.price] == .amount(1_300_000) && chair[.currency] == .code("KRW"))
    #expect(chair[.discount] == .amount(0))
    #expect(lamp[.price] == .amount(2_150) && lamp[.discount] == .amount(150))
    #expect(lamp[.currency] == .code("USD"))
  }

  @Test func `an amount that the product's currency does not allow is refused`() async throws {
    let other = try await importing("price", "$13", "21.50")
    let broken = try await importing("price", "12000.50")
    let percent = try await importing("discount", "10%")

    expect(
      other.problems,
      [
        .own(
          Product.ID(rawValue: 1),
          .invalid(FieldError(.price, .amount(.otherCurrency(.usd, instead: .krw)))))
      ])
    expect(
      broken.problems,
      [.own(Product.ID(rawValue: 1), .invalid(FieldError(.price, .amount(.decimals(.krw)))))])
    expect(percent.problems, [.field(FieldError(.price, .missing))])
  }

  @Test(arguments: ["의자?", "??★", "??😀"])
  func `a text that an encoding has cut to question marks overwrites nothing`(
    text: String
  ) async throws {
    let name = text.replacing("😀", with: "?")
    let (summary, problems) = try await importing("name,stock", "\(name),9")

    expect(summary, ImportRun.Summary(refused: 1))
    expect(problems, [.own(Product.ID(rawValue: 1), .lossy(.name))])
    try await #expect(product(1)[.stock] == .number(3))
  }

  @Test func `characters of two units may be two question marks`() async throws {
    let (_, problems) = try await importing("description", "\"첫 줄\r\n둘째 줄 ??\"")

    expect(problems, [.own(Product.ID(rawValue: 1), .lossy(.description))])
    let asked = try await importing("name", "의자★ ok?")
    let shorter = try await store.detail(of: Product.ID(rawValue: 1))
    expect(shorter[.name], .text("의자★ ok?"))
    expect(asked.summary, ImportRun.Summary(changed: 1))
  }

  @Test func `other line ends are no change, and control characters are refused`() async throws {
    let same = try await importing("description", "\"첫 줄\r\n둘째 줄 😀\"")
    let controls = try await importing("name,description", "\"의자\n둘\",", "Lamp,a\u{1B}[31m")

    expect(same.summary, ImportRun.Summary(known: 1))
    expect(
      controls.problems,
      [
        .own(Product.ID(rawValue: 1), .invalid(FieldError(.name, .controls))),
        .own(Product.ID(rawValue: 2), .invalid(FieldError(.description, .controls))),
      ])
  }
}

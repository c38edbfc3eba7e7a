import Expectations
import MarketModel
import MarketStore
import MarketStrings
import SafeTextKit
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

@testable import MarketTransfer

/// Imports of tables of other programs into a market.
struct TableImportTests {
  private func request(_ path: String, _ table: TableOptions = TableOptions()) -> TransferRequest {
    var request = TransferRequest(.importProducts, path)
    request.table = table
    return request
  }

  /// What an import says at its end, and what it said before it wrote anything.
  private func told(
    _ text: String, _ options: TableOptions = TableOptions(), into store: SQLiteStore,
    _ markets: borrowing TransferMarkets
  ) async throws -> (last: [String], first: [String], problems: [String]) {
    try markets.write(text, to: "t.csv")
    let (problems, first) = (Collector<String>(), Collector<String>())
    var run = ImportRun.Options(path: markets.path(of: "t.csv"), isStrict: false, now: 0)
    run.table = options
    run.languageCurrency = .usd
    let strings = Strings(.english)
    let order = ImportRun(
      run, into: store, preparing: PassThroughPictureProcessor(),
      report: { problems.add($0.text(strings).string) },
      announce: { first.add($0.text(strings).string) }, show: { _ in })
    let summary = try await order.run()
    let command = TransferCommand(request("t.csv"), strings)
    let last = command.sentences(summary, await order.remarks).map(\.string)
    return (last, first.elements, problems.elements)
  }

  @Test func `what a table does not say is said before anything is written`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")

    let first = try await told("name,price\nLamp,20\nChair,12.50\n", into: store, markets)
    expect(
      first.first,
      [
        "2 rows, no currency column: USD, by the language of the program; --currency changes it",
        "2 rows, no stock column: 1 each; --stock changes it",
      ])
    expect(
      first.last,
      ["2 products without photos", "Read 2 rows. Added 2, changed 0, recognised 0, rejected 0"])
    _ = try await told("name,price,currency,stock\nDesk,9000,KRW,1\n", into: store, markets)
    let then = try await told(
      "name,price,currency,stock\nSofa,9000,,\nBed,5,USD,2\n", into: store, markets)
    expect(
      then.first,
      [
        "1 row without a currency: KRW, as the newest product here; --currency changes it",
        "1 row without a stock: 1 each; --stock changes it",
      ])
    let named = try await told("name,price,stock\nCup,$3,1\n", into: store, markets)
    expect(named.first, [])
  }

  @Test func `headings of other programs are told with what they mean`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")

    let shop = try await told(
      "상품명,판매가,stock,Image1,image2,brand\nLamp,20,1,,,x\n", into: store, markets)
    let own = try await told("name,price,currency,stock\nDesk,9,USD,1\n", into: store, markets)
    expect(
      shop.first.first,
      "Columns: name=상품명, price=판매가, photos=Image1; --column changes what a heading means")
    expect(own.first, [])
  }

  @Test func `options set what a table lacks`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    var options = TableOptions()
    (options.currency, options.stock, options.place) = (.usd, 7, "Mapo")
    (options.category, options.condition) = (.books, .good)
    options.columns = [
      .init(name: "name", heading: "MODEL no."), .init(name: "price", heading: "Cost"),
    ]

    let told = try await told(
      "Model No.,cost,category,name\nA,5,,z\nB,6,Toys,z\n", options, into: store, markets)

    expect(told.first, [])
    let products = try await store.page(PageRequest()).products
    expect(products.map(\.name), ["B", "A"])
    expect(products.map(\.category), [.toys, .books])
    #expect(products.allSatisfy { $0.stock == 7 && $0.place == "Mapo" && $0.condition == .good })
    // A row of a product of the market changes only the columns that it has.
    let id = try await store.ownMarketID()?.text ?? ""
    let number = products[0].id.rawValue
    options.columns = []
    let changed = try await self.told(
      "id,market,version,name,price,currency\n\(number),\(id),1,C,6,USD\n", options, into: store,
      markets)
    expect(changed.last, ["Read 1 row. Added 0, changed 1, recognised 0, rejected 0"])
    let product = try await store.detail(of: products[0].id).product
    #expect(product.name == "C" && product.stock == 7 && product.category == .toys)
  }

  @Test func `an unknown choice is told once with a count`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let rows = (1...50).map { "Lamp \($0),5,\($0 == 9 ? "Zoo" : "Kitchen & Dining")" }
    let table = (["name,price,category"] + rows).joined(separator: "\n")

    let refused = try await told(table, into: store, markets)
    expect(refused.problems.count, 2)
    #expect(
      refused.problems[0].hasPrefix(
        "line 2 and 48 more rows: category: “Kitchen & Dining” is none of kitchen, electronics"))
    expect(refused.last, ["Read 50 rows. Added 0, changed 0, recognised 0, rejected 50"])
    var options = TableOptions()
    options.dropsUnknownChoices = true
    let taken = try await told(table, options, into: store, markets)
    expect(taken.last.last, "Read 50 rows. Added 50, changed 0, recognised 0, rejected 0")
    #expect(taken.problems[1].hasPrefix("line 10: category: “Zoo” is left out"))
  }

  @Test func `a row of several of one handle counts as each of them`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let table = "handle,title,price\na,A,1\na,,2\na,,3\nb,,4\nb,,5\nc,C,6\n"

    let first = try await told(table, into: store, markets)
    let second = try await told(table, into: store, markets)

    expect(
      first.last,
      [
        "2 products without photos", "The added rows are 2 products",
        "Read 6 rows. Added 4, changed 0, recognised 0, rejected 2",
      ])
    expect(second.last, ["Read 6 rows. Added 0, changed 0, recognised 4, rejected 2"])
  }

  @Test func `photos are fetched when asked for, and what fails is counted`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let table =
      "name,price,images\nA,1,https://a.example/1.jpg\nB,2,https://a.example/2.jpg|https://a.example/1.jpg\nC,3,\n"
    let asked = Collector<String>()
    func summary(_ options: TableOptions) async throws -> ImportRun.Remarks {
      try markets.write(table, to: "t.csv")
      var run = ImportRun.Options(path: markets.path(of: "t.csv"), isStrict: false, now: 0)
      run.table = options
      let order = ImportRun(
        run, into: store, preparing: PassThroughPictureProcessor(),
        fetching: { address in
          asked.add(address)
          return address.hasSuffix("1.jpg") ? PictureFile.jpeg(1) : nil
        }, report: { _ in }, show: { _ in })
      _ = try await order.run()
      return await order.remarks
    }
    var options = TableOptions()

    options.fetchesPhotos = true
    let fetched = try await summary(options)

    expect(fetched.withoutPhotos, 1)
    expect(fetched.failedPhotos, 1)
    expect(asked.elements.sorted(), ["https://a.example/1.jpg", "https://a.example/2.jpg"])
    let products = try await store.page(PageRequest()).products
    expect(products.map { $0.thumbnail == nil }, [true, false, false])
  }

  @Test func `without asking, no photo is fetched and products come without`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")

    let told = try await told(
      "name,price,images\nA,1,https://a.example/1.jpg\n", into: store, markets)

    expect(
      told.last,
      [
        "1 product without photos; --fetch-photos fetches those that the table names",
        "Read 1 row. Added 1, changed 0, recognised 0, rejected 0",
      ])
  }

  @Test func `columns that are missing are told with those that were found`() {
    func message(_ text: String, _ options: TableOptions = TableOptions()) -> String {
      do throws(TransferError) {
        _ = try TableSource(InputFile(of: Array(text.utf8)), now: 0, options)
        return ""
      } catch {
        return error.text(Strings(.english)).string
      }
    }
    expect(
      message("Model;Priice;Color\na;5;red\n"),
      "The first line has no column for name, price. It names: Model, Priice, Color. "
        + "Say which one it is: --column name=Model --column price=Priice")
    expect(
      message("Title,Net price (EUR)\na,5\n"),
      "The first line has no column for price. It names: Title, Net price (EUR). "
        + "Say which one it is: --column price='Net price (EUR)'")
    expect(
      message("상품,단위 금액,상품코드\na,5,\n"),
      "The first line has no column for name, price. It names: 상품, 단위 금액, 상품코드. "
        + "Say which one it is: --column name=상품 --column price='단위 금액'")
    expect(
      message("Bezeichnung;Preis in EUR\na;5\n"),
      "The first line has no column for name, price. It names: Bezeichnung, Preis in EUR. "
        + "Say which one it is: --column name=Bezeichnung --column price='Preis in EUR'")
    expect(
      message("Title,Cost\na,5\n"),
      "The first line has no column for price. It names: Title, Cost. "
        + "Say which one it is: --column price=Cost")
    for heading in ["가격(원)", "단가", "판매가(원)", "판매가 （원）", "*Price", "List price", "정가"] {
      expect(message("상품명,\(heading)\na,5\n"), "", "\(heading)")
    }
    expect(
      message("My list,\nname,price\na,5\n"),
      "The first line holds My list; the names of the columns are in line 2. "
        + "Remove the lines above it")
    var options = TableOptions()
    options.columns = [.init(name: "price", heading: "Cost")]
    expect(
      message("Title,Price\na,5\n", options),
      "The first line has no column Cost. It names: Title, Price")
    expect(message(""), Strings(.english)[.movingNoColumns].string)
  }

  @Test func `the options of a request are those of its command line`() {
    var options = TableOptions()
    options.columns = [.init(name: "price", heading: "Net = cost")]
    (options.currency, options.stock, options.encoding) = (.usd, 3, .windows1252)
    (options.category, options.condition, options.place) = (.toys, .likeNew, "Mapo")
    (options.dropsUnknownChoices, options.fetchesPhotos) = (true, true)

    expect(
      request("t.csv", options).words,
      [
        "import", "t.csv", "--column=price=Net = cost", "--currency=USD", "--stock=3",
        "--category=toys", "--condition=like-new", "--place=Mapo", "--encoding=Windows-1252",
        "--unknown-choices=drop", "--fetch-photos",
      ])
  }
}

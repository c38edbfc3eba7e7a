import Expectations
import HTTPTestSupport
import MarketModel
import MarketStore
import StoreCore
import TerminalTestSupport
import TestSupport
import Testing

/// The runs that print products and need no terminal.
@Suite(.ownThread) struct ScriptTests {
  /// The fields of a line in a pipe.
  private func fields(_ line: Substring?) -> [Substring] {
    (line ?? "").split(separator: "\t", omittingEmptySubsequences: false)
  }

  @Test func `a pipe gets all products, a line each, with tabs between five fields`() async throws {
    let run = try await MarketProgram(.rows(45)).run("list", "--language", "en")

    let lines = run.output.split(separator: "\n")
    expect(run.exit, .exited(status: 0))
    expect(lines.count, 45)
    expect(fields(lines.first).count, 5)
    expect(fields(lines.first)[0...2], ["45", "₩1,000", "3"])
    expect(fields(lines.first).last, "Ware 001")
    expect(run.errors, "")
  }

  @Test(arguments: [
    (["--limit", "2"], ["Ware 001", "Ware 002"]),
    (["--limit", "2", "--sort", "price-desc"], ["Ware 045", "Ware 044"]),
    (
      ["--search", "ware 04", "--filter", "in-stock"],
      ["Ware 004"] + (40...45).map { "Ware 0\($0)" }
    ),
    (
      ["--search", "ware 04 stock sort:price-desc"],
      (40...45).reversed().map { "Ware 0\($0)" } + ["Ware 004"]
    ),
    (["--search", "nothing like it"], []),
    (["--filter", "on-sale"], []),
  ])
  func `options choose what is listed`(options: [String], names: [String]) async throws {
    let run = try await MarketProgram(.rows(45)).run(["list"] + options)

    expect(run.exit, .exited(status: 0))
    expect(
      run.output.split(separator: "\n").map { fields($0).last ?? "" }, names[...].map { $0[...] })
  }

  @Test(arguments: [
    (["--search", "nothing like it"], "No products match “nothing like it”"),
    (["--filter", "on-sale"], "No products match these filters"),
    (["--filter", "on-sale", "--json"], "No products match these filters"),
  ])
  func `a list of nothing says so beside an empty output`(
    options: [String], sentence: String
  ) async throws {
    let run = try await MarketProgram(.rows(3)).run(["list", "--language", "en"] + options)

    expect(run.exit, .exited(status: 0))
    expect(run.output, "")
    expect(run.errors, "market: \(sentence)\n")
  }

  @Test func `an empty market is listed as one`() async throws {
    let run = try await MarketProgram(GeneratedMarket(products: [])).run("list", "--language", "en")

    #expect(run.errors == "market: Nothing for sale yet\n" && run.output == "")
  }

  @Test func `a server is listed and shown as a file is`() async throws {
    let server = try await TrialServer(.rows(45))
    let remote = try await MarketProgram(nil)
    let local = try await MarketProgram(.rows(45))

    for words in [["list"], ["show", "7"], ["list", "--json"], ["show", "7", "--json"]] {
      let run = try remote.run(words + ["--server", server.address])

      expect(run.exit, .exited(status: 0))
      #expect(run.output.contains("Ware 039"))
      // A server tells the day in Korea, which is the next one already, by its first second.
      let expected = try local.run(words).output.split(separator: "1700000000")
        .joined(separator: "1700006400")
      let address =
        /\n(?:picture|url)\thttp:[^\n]*|,"pictureAddresses":\["http:[^\]]*\]|,"url":"http:[^"]*"/
      expect(run.output.replacing(address, with: ""), expected)
      expect(run.output.contains(address), words != ["list"])
    }
  }

  @Test func `a product is shown with its text, raw as an object of an archive`() async throws {
    let program = try await MarketProgram(.rows(3))

    let shown = try program.run("show", "3")
    let raw = try program.run("show", "3", "--json")

    #expect(shown.output.hasPrefix("id\t3\nprice\t₩1,000\nstock\t3\n"))
    #expect(shown.output.hasSuffix("name\tWare 001\nseller\tSomeone\n\nAs good as new.\n"))
    #expect(
      raw.output.hasPrefix(
        """
        {"id":3,"name":"Ware 001","description":"As good as new.","currency":"KRW","price":1000,\
        "discount":0,"stock":3,"created":1700000000,"changed":1700000000,"seller":
        """))
    expect(raw.output.split(separator: "\n").count, 1)
  }

  @Test func `a product that is not there has a status of its own`() async throws {
    let run = try await MarketProgram(.rows(3)).run("show", "9", "--language", "ko")

    expect(run.exit, .exited(status: 4))
    expect(run.output, "")
    expect(run.errors, "market: 없는 상품이나 질문입니다 (삭제되었을 수 있습니다)\n")
  }

  @Test func `a market that is not there is one sentence, and none is made`() async throws {
    let program = try await MarketProgram(nil)
    let path = program.path(of: "none.market")

    let run = try program.run("list", "--store", path)

    expect(run.exit, .exited(status: 1))
    expect(run.errors.split(separator: "\n").count, 1)
    #expect(try !program.files().contains { $0.bytes.starts(with: Array("SQLite".utf8)) })
  }

  @Test func `what a server cannot order is not listed in another order`() async throws {
    let server = try await TrialServer(.rows(3))

    let run = try await MarketProgram(nil).run(
      "list", "--server", server.address, "--api", "2021", "--sort", "price-asc")

    expect(run.exit, .exited(status: 1))
    expect(run.output, "")
  }

  @Test(arguments: [[], ["--json"]])
  func `nothing that a seller wrote acts on a terminal or adds a line`(options: [String])
    async throws
  {
    let attack = "\u{1b}]0;owned\u{7}\u{9b}31m\ta\nb\r\u{85}c"
    let product = ArchivedProduct.trial(name: "Ware " + attack, description: "", seller: attack)
    let program = try await MarketProgram(GeneratedMarket(products: [product]))

    let run = try program.run(["list"] + options)

    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
    let allowed: Set<Unicode.Scalar> = ["\t", "\n"]
    #expect(run.output.unicodeScalars.allSatisfy { !isControl($0) || allowed.contains($0) })
    #expect(run.output.contains("Ware "))
    expect(run.output.split(separator: "\n").count, 1)
    expect(run.output.count { $0 == "\t" }, options.isEmpty ? 4 : 0)
  }

  @Test func `a reader that has enough ends the list without a word`() async throws {
    let program = try await MarketProgram(.rows(2_000))

    let session = try program.openInShell("list", "--json", "|", "head", "-1")
    try session.wait(for: "the next prompt") { screen in
      screen.lines.filter { $0.hasPrefix("shell$") }.count == 2
    }

    #expect(session.screen.contains("Ware 001"))
    #expect(!session.screen.contains("market:"))
  }

  @Test func `a person sees headings over columns, names cut to the width of the window`()
    async throws
  {
    let long = String(repeating: "Bicycle ", count: 20)
    let products = [ArchivedProduct.trial(name: long, description: "")]
    let program = try await MarketProgram(GeneratedMarket(products: products))

    let session = try program.open("list", "--language", "en")
    _ = try session.waitForExit()

    let lines = session.screen.lines.filter { !$0.allSatisfy { $0 == " " } }
    expect(lines.count, 2)
    expect(lines.first?.contains(/No\. +Price +Discount +Stock +Listed +Name/), true)
    expect(lines.last?.contains(/Bicycle.*…/), true)
  }

  @Test func `a product on a terminal says its old price, in the language of the screens`()
    async throws
  {
    let products = [ArchivedProduct.trial(name: "Ware", price: 1_000, discount: 250)]
    let program = try await MarketProgram(GeneratedMarket(products: products))

    let session = try program.open("show", "1", "--language", "ko")
    _ = try session.waitForExit()
    let raw = try program.run("show", "1", "--json")

    #expect(session.screen.contains("가격    ₩750 (₩1,000, -25%)"))
    #expect(session.screen.contains("판매자  Someone"))
    #expect(raw.output.contains("\"priceToPay\":750"))
  }

  @Test func `without colours nothing but text reaches the terminal`() async throws {
    let session = try await MarketProgram(.rows(12)).open(
      "list", "--limit", "12", environment: ["NO_COLOR": "1"])
    _ = try session.waitForExit()

    expect(session.screen.lines.filter { $0.contains("Ware") }.count, 12)
    #expect(!session.output.contains(0x1B))
  }
}

import Expectations
import Glibc
import MarketModel
import MarketTransfer
import StoreCore
import TestSupport
import Testing

/// Laws of import and export, which hold for every store.
package enum TransferLaws {
  /// Kinds of file that products come in.
  package static let endings = ["csv", "ndjson"]

  /// Rows of random duplicates, among them rows that are others with a number behind them.
  private static func rows(
    _ ending: String, _ random: inout SeededRandom, pictures: Bool
  ) -> [String] {
    let names = ["Lamp", "Lamp 1", "Lamp 1 1", "Lamp 2", "Desk"]
    return (0..<40).map { _ in
      let name = names.randomElement(using: &random) ?? "Lamp"
      let id = [1, 2, 3].randomElement(using: &random) ?? 1
      guard ending == "ndjson" else { return "5,\(id),\(name)" }
      // The same product in two spellings.
      let blank = Bool.random(using: &random) ? " " : ""
      let photos = pictures ? #","pictures":["a.jpg"]"# : ""
      return #"{"id":\#(id),"name":"\#(name)",\#(blank)"price":5,"created":7\#(photos)}"#
    }
  }

  /// n rows give n products, with any duplicates and after an interrupted run; a second run adds none.
  package static func rowsAreAsManyProducts(
    seed: UInt64, ending: String, of market: any StoredMarket, in markets: borrowing TransferMarkets
  ) async throws {
    var random = SeededRandom(seed: seed)
    let rows = rows(ending, &random, pictures: seed.isMultiple(of: 2))
    let file = "equal-\(seed).\(ending)"
    let header = ending == "csv" ? ["price,id,name"] : []
    try markets.write((header + rows).joined(separator: "\n"), to: file)
    mkdir(markets.path(of: file + ".pictures"), 0o700)
    try FileContent(bytes: PictureFile.jpeg(1)).write(
      to: markets.path(of: file + ".pictures/a.jpg"))
    let batchSize = Int.random(in: 1...9, using: &random)
    let short = InterruptedMarket(market) { number throws(RepositoryError) in
      if number == 3 { throw .store(.diskFull) }
    }

    if seed.isMultiple(of: 3) {
      await #expect(throws: TransferError.self) {
        _ = try await markets.importing(file, into: short, batchSize: batchSize)
      }
    }
    _ = try await markets.importing(file, into: market, batchSize: batchSize)
    let page = try await market.page(PageRequest(size: 100))
    let again = try await markets.importing(file, into: market, batchSize: batchSize + 1)

    let names = page.products.map(\.name).sorted()
    let wanted = rows.map { row in
      ["Lamp 1 1", "Lamp 1", "Lamp 2", "Lamp", "Desk"].first { row.contains($0) } ?? ""
    }
    expect(names, wanted.sorted(), "seed \(seed)")
    expect(again.summary, ImportRun.Summary(known: rows.count), "seed \(seed)")
    try await expect(market.page(PageRequest()).total, .exactly(rows.count))
  }

  /// A row is known by what it says: written otherwise it adds nothing, with another meaning it does.
  package static func rowsAreKnownByTheirMeaning(
    seed: UInt64, of market: any StoredMarket, in markets: borrowing TransferMarkets
  ) async throws {
    var random = SeededRandom(seed: seed)
    let rows = (0..<15).map { _ in
      [
        "name": ["Lamp", "자전거", "a; \"b\",\tc"].randomElement(using: &random) ?? "",
        "price": String(Int.random(in: 1...3, using: &random)),
        "stock": String(Int.random(in: 4...6, using: &random)),
        "description": ["", "two\nlines"].randomElement(using: &random) ?? "",
      ]
    }
    func spelling(_ number: Int, _ names: [String: String]) -> [UInt8] {
      var columns = ["name", "price", "stock", "description"]
      if number > 0 { columns.shuffle(using: &random) }
      let separator = [",", ";", "\t"][number % 3]
      let end = ["\n", "\r\n", "\r"][number / 3 % 3]
      let lines = rows.map { row in
        columns.map { "\"\((row[$0] ?? "").replacing("\"", with: "\"\""))\"" }
      }
      let text = ([columns.map { names[$0] ?? $0 }] + lines)
        .map { $0.joined(separator: separator) }.joined(separator: "\n").replacing("\n", with: end)
      return encoded(text, number % 4)
    }
    func lines(_ names: [String: String]) -> [UInt8] {
      let lines = rows.map { row in
        let members = row.map { name, value in
          let text = value.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            .replacing("\t", with: "\\t")
          let isNumber = name == "price" || name == "stock"
          return "\"\(names[name] ?? name)\": " + (isNumber ? text : "\"\(text)\"")
        }
        return "{\(members.shuffled(using: &random).joined(separator: ", "))}"
      }
      return Array(lines.joined(separator: "\n").utf8)
    }
    let meanings = [[:], ["price": "stock", "stock": "price"]]

    for names in meanings {
      for number in 0..<(names.isEmpty ? 12 : 2) {
        try markets.write(spelling(number, names), to: "a.csv")
        let (summary, problems) = try await markets.importing("a.csv", into: market)

        let wanted = ImportRun.Summary(
          added: number == 0 ? rows.count : 0, known: number == 0 ? 0 : rows.count)
        #expect(problems == [] && summary == wanted, "seed \(seed), spelling \(number)")
      }
      try markets.write(lines(names), to: "a.ndjson")
      let (summary, _) = try await markets.importing("a.ndjson", into: market)

      expect(summary, ImportRun.Summary(known: rows.count), "seed \(seed)")
    }
  }

  /// A text in an encoding of spreadsheets: UTF-8 with and without a mark, UTF-16 or CP949.
  private static func encoded(_ text: String, _ number: Int) -> [UInt8] {
    switch number {
    case 0: Array(text.utf8)
    case 1: Array("\u{FEFF}\(text)".utf8)
    case 2: "\u{FEFF}\(text)".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    default:
      Array(text.utf8).replacing(
        Array("자전거".utf8), with: [0xC0, 0xDA, 0xC0, 0xFC, 0xB0, 0xC5] as [UInt8])
    }
  }

  /// A market that is exported and imported is as it was, and exports the same bytes.
  package static func exportsComeBackUnchanged(
    ending: String, of market: any StoredMarket, in markets: borrowing TransferMarkets
  ) async throws {
    try await markets.fill(market)
    _ = try await market.register(
      .sample(name: "=1+1;\t\"24\"\" \u{FEFF}", description: " 12,50 \r\n\"\";\u{0}"))
    _ = try await market.register(
      ProductRegistration(
        name: "two won and a half", description: "",
        price: Money(hundredths: 250, currency: .krw), stock: 1,
        pictures: [PictureFile.jpeg(1)], password: Password("secret")))
    try await markets.exporting(market, to: "one.\(ending)")

    let (summary, problems) = try await markets.importing("one.\(ending)", into: market)
    let strict = try await markets.importing("one.\(ending)", into: market, isStrict: true)
    try await markets.exporting(market, to: "two.\(ending)")

    #expect(problems == [] && strict.problems == [])
    #expect(summary == ImportRun.Summary(known: 10) && strict.summary == summary)
    try expect(markets.text(of: "one.\(ending)"), markets.text(of: "two.\(ending)"))
  }

  /// Rows that name the market change what differs, at the version that they were exported at.
  package static func rowsChangeTheirProducts(
    ending: String, of market: any StoredMarket, in markets: borrowing TransferMarkets
  ) async throws {
    try await markets.fill(market)
    try await markets.exporting(market, to: "a.\(ending)")
    let text = try markets.text(of: "a.\(ending)")
    let before = try await market.detail(of: Product.ID(rawValue: 4))
    func write(_ name: String, _ price: String) throws {
      // As each of the two writes the amount.
      let old = ending == "csv" ? ",12.50," : ":12.5,"
      let new = ending == "csv" ? ",\(price)," : ":\(price),"
      try markets.write(
        text.replacing("lamp", with: name).replacing(old, with: new), to: "b.\(ending)")
    }

    try write("sofa", "12.75")
    let first = try await markets.importing("b.\(ending)", into: market, isStrict: true)
    let again = try await markets.importing("b.\(ending)", into: market)
    let changed = try await market.detail(of: before.id)
    try write("chair", "13")
    let stale = try await markets.importing("b.\(ending)", into: market)
    let gone = try await market.remove(before.id)
    let last = try await markets.importing("b.\(ending)", into: market)

    expect(first.summary, ImportRun.Summary(changed: 6, known: 2))
    expect(first.problems, [])
    expect(again.summary, ImportRun.Summary(known: 8))
    expect(again.problems, [])
    #expect(changed.product.name == "sofa" && changed.pictures == before.pictures)
    expect(changed.version, ProductVersion(rawValue: "3"))
    expect(gone, changed)
    expect(stale.summary, ImportRun.Summary(known: 2, refused: 6))
    #expect(stale.problems.map(\.reason).contains(.own(before.id, .otherVersion(present: 3))))
    #expect(last.problems.map(\.reason).contains(.own(before.id, .gone)))
    try await expect(market.page(PageRequest()).total, .exactly(7))
    try await market.verify(Password("secret"), for: Product.ID(rawValue: 1), by: .guest)
  }

  /// A table or lines with one mistake, made of the export of a filled market.
  private struct Mistake: Sendable {
    let name: String
    let ending: String
    let make: @Sendable (String) -> [UInt8]

    init(_ name: String, _ ending: String, _ make: @escaping @Sendable (String) -> [UInt8]) {
      (self.name, self.ending, self.make) = (name, ending, make)
    }

    /// A row behind an export.
    static func row(_ name: String, _ row: String) -> Mistake {
      Mistake(name, "csv") { Array(($0 + row + "\r\n").utf8) }
    }

    /// A line behind a new product.
    static func line(_ name: String, _ line: [UInt8]) -> Mistake {
      Mistake(name, "ndjson") {
        Array($0.utf8) + #"{"name":"new","price":1}"#.utf8 + [0x0A] + line
      }
    }

    static let all = [
      Mistake("another version", "csv") { text in
        Array(text.replacing(",1,\(market(of: text))\r\n", with: ",9,\(market(of: text))\r\n").utf8)
      },
      Mistake("an unknown column", "csv") { text in
        Array(
          text.replacing("id,name", with: "Id,colour").replacing("description", with: "name").utf8)
      },
      row("a stray quote", ",24\" lamp,,KRW,5,0,1,,,,,"),
      row("a missing column", ",lamp,,KRW"),
      row("an amount in two readings", ",lamp,,USD,0.500,0,1,,,,,"),
      row("an amount of another currency", ",lamp,,KRW,$5,0,1,,,,,"),
      Mistake("bytes of another encoding", "csv") {
        Array($0.utf8) + Array(",".utf8) + [0xC0, 0xDA] + Array(",,KRW,5,0,1,,,,,\r\n".utf8)
      },
      Mistake("the same product twice", "csv") { text in
        let row = text.split(separator: "\r\n").first { $0.contains("mug") } ?? ""
        return Array((text + row.replacing("mug", with: "jug") + "\r\n").utf8)
      },
      line("a picture that is none", Array(#"{"name":"b","price":1,"pictures":["bad.jpg"]}"#.utf8)),
      line("no picture", Array(#"{"name":"b","price":1,"pictures":["gone.jpg"]}"#.utf8)),
      line(
        "bytes that are no text", Array(#"{"price":1,"name":""#.utf8) + [0xC0, 0xDA, 0x22, 0x7D]),
      line("no object", Array("[]".utf8)),
      line("a negative price", Array(#"{"name":"b","price":-1}"#.utf8)),
    ]

    private static func market(of text: String) -> String {
      let end = text.split(separator: "\r\n").dropFirst().first { !$0.hasSuffix("\n") } ?? ""
      return String(end.suffix(32))
    }
  }

  /// A strict run with one mistake anywhere leaves the market as it was.
  package static func strictRunsTakeAllOrNothing(
    of market: any StoredMarket, in markets: borrowing TransferMarkets
  ) async throws {
    try await markets.fill(market)
    for ending in endings { try await markets.exporting(market, to: "before.\(ending)") }
    for mistake in Mistake.all {
      let name = "mistake.\(mistake.ending)"
      let text = try markets.text(of: "before.\(mistake.ending)")
      try markets.write(mistake.make(text), to: name)
      mkdir(markets.path(of: name + ".pictures"), 0o700)
      try FileContent(bytes: Array("no picture".utf8)).write(
        to: markets.path(of: name + ".pictures/bad.jpg"))

      let (summary, problems) = try await markets.importing(
        name, into: market, isStrict: true, batchSize: 3)
      try await markets.exporting(market, to: "after.ndjson", replaces: true)

      #expect(summary.added == 0 && summary.changed == 0, "\(mistake.name)")
      #expect(summary.refused > 0 && problems.count == summary.refused, "\(mistake.name)")
      try expect(
        markets.text(of: "after.ndjson"), markets.text(of: "before.ndjson"), "\(mistake.name)")
    }
  }
}

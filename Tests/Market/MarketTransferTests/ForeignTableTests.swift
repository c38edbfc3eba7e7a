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

/// Tables as spreadsheets and people write them.
struct ForeignTableTests {
  private typealias Row = (name: String, price: Int64, currency: String, stock: Int64)

  private func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
      return bigEndian ? bytes.reversed() : bytes
    }
  }

  /// What comes of a table, read in pieces of a few bytes as well.
  private func read(_ bytes: [UInt8], pieces: [Int] = [1, 2, 3, 7, 1 << 20]) throws -> [[String]] {
    let outcomes = try pieces.map { size in
      var source = try TableSource(InputFile(of: bytes, inPiecesOf: size), now: 0)
      var rows: [String] = []
      while let record = try source.next() {
        switch record.product {
        case .success(let row):
          let (product, price) = (row.product, row.product.price)
          let amount = String(hundredths: price.full.hundredths, decimals: .shortest)
          rows.append("\(product.name) \(amount) \(price.currency.rawValue) \(product.stock)")
        case .failure(let reason):
          let problem = ImportProblem(lines: record.lines, reason: reason)
          rows.append(problem.text(Strings(.english)).string)
        }
      }
      return rows
    }
    #expect(outcomes.allSatisfy { $0 == outcomes[0] })
    return outcomes
  }

  private func rows(_ bytes: [UInt8]) throws -> [String] { try read(bytes)[0] }

  private func rows(_ text: String) throws -> [String] { try rows(Array(text.utf8)) }

  @Test func `encodings of spreadsheets are read, with and without a mark`() throws {
    let text = "이름,가격,재고\r\n자전거 😀,\"1,000\",1\r\n전등,2000,2\r\n"
    let wanted = ["자전거 😀 1000 KRW 1", "전등 2000 KRW 2"]

    try expect(rows(text), wanted)
    try expect(rows("\u{FEFF}" + text), wanted)
    for bigEndian in [false, true] {
      try expect(rows(utf16(text, bigEndian: bigEndian)), wanted)
      try expect(rows(utf16("\u{FEFF}" + text, bigEndian: bigEndian)), wanted)
    }
  }

  /// 자전거 and 전등 in CP949.
  private static let bicycle: [UInt8] = [0xC0, 0xDA, 0xC0, 0xFC, 0xB0, 0xC5]
  private static let lamp: [UInt8] = [0xC0, 0xFC, 0xB5, 0xEE]

  @Test func `CP949 is told by its letters, wherever they begin`() throws {
    let rest = Array(",5\r\n".utf8)
    let header = Array("name,price\r\n".utf8)
    // 이름,가격 as the header.
    let korean: [UInt8] = [0xC0, 0xCC, 0xB8, 0xA7, 0x2C, 0xB0, 0xA1, 0xB0, 0xDD, 0x0D, 0x0A]
    let late = header + Array(repeating: Array("Lamp,5\r\n".utf8), count: 200_000).joined()

    try expect(rows(header + Self.bicycle + rest), ["자전거 5 KRW 1"])
    try expect(rows(korean + Self.lamp + rest), ["전등 5 KRW 1"])
    try expect(read(late + Self.bicycle + rest, pieces: [1 << 16])[0].last, "자전거 5 KRW 1")
  }

  @Test func `no bytes become replacement characters`() throws {
    let header = Array("name,price\n".utf8)
    let sentence =
      "not text in the encoding of the file; correct this row, or save the table again as UTF-8"
    let good = Array("자전거,5\n".utf8)
    let broken: [[UInt8]] = [
      Self.bicycle, [0xFF], [0xEC, 0x9E], [0xED, 0xA0, 0x80], [0xC0, 0x80],
      [0xF5, 0x80, 0x80, 0x80],
    ]

    for bytes in broken {
      let row = bytes + Array(",6\n".utf8)
      try expect(
        rows(header + good + row + good), ["자전거 5 KRW 1", "line 3: \(sentence)", "자전거 5 KRW 1"])
    }
    // Half a pair of surrogates, in the middle and at the end; half a unit at the end.
    for bigEndian in [false, true] {
      let start = utf16("\u{FEFF}name,price\nLamp,5\n", bigEndian: bigEndian)
      let half: [UInt8] = bigEndian ? [0xD8, 0x3D] : [0x3D, 0xD8]
      let rest = utf16(",6\nDesk,7\n", bigEndian: bigEndian)
      try expect(
        rows(start + half + rest), ["Lamp 5 KRW 1", "line 3: \(sentence)", "Desk 7 KRW 1"])
      try expect(rows(start + half), ["Lamp 5 KRW 1", "line 3: \(sentence)"])
      try expect(rows(start + [0x41]), ["Lamp 5 KRW 1", "line 3: \(sentence)"])
    }
    // CP949 with a byte that is none of its.
    try expect(
      rows(header + Self.bicycle + Array(",5\n".utf8) + Self.lamp + [0xFF] + Array(",6\n".utf8)),
      ["자전거 5 KRW 1", "line 3: \(sentence)"])
  }

  @Test func `what is in no encoding that is read is refused by name`() throws {
    let utf32: [UInt8] = [0xFF, 0xFE, 0, 0] + "name,price\n".utf8.flatMap { [$0, 0, 0, 0] }
    let unknown: [UInt8] = [0x8D, 0x2C, 0x9D, 0x0A]

    #expect(throws: TransferError.encoding("UTF-32")) { try rows(utf32) }
    #expect(throws: TransferError.unknownEncoding(nil)) { try rows(unknown) }
    #expect(throws: TransferError.encoding("UTF-16")) {
      try LineSource(InputFile(of: utf16("\u{FEFF}{}", bigEndian: false)), now: 0)
    }
    expect(
      TransferError.encoding("UTF-32").text(Strings(.english)).string,
      "The file is in UTF-32, which cannot be read; convert it: "
        + "iconv -f UTF-32 -t UTF-8 OLD > NEW")
  }

  @Test(arguments: ["\n", "\r\n", "\r"]) func `any line ends are read`(_ end: String) throws {
    let lines = [
      "name,description,price", "Lamp,\"two\(end)lines\",5", "", "\"a\"b,c,6", "Desk,,7",
    ]

    try expect(
      rows(lines.joined(separator: end)),
      ["Lamp 5 KRW 1", "line 5: unmatched quotes", "Desk 7 KRW 1"])
    try expect(
      rows((lines + [""]).joined(separator: end)),
      ["Lamp 5 KRW 1", "line 5: unmatched quotes", "Desk 7 KRW 1"])
  }

  @Test(arguments: [",", ";", "\t"]) func `any separator is read`(_ separator: String) throws {
    let rows = try rows(
      ["name|price|currency", "Lamp|5|usd", "\"a|b\"|\"1,200.50\"| USD "].joined(separator: "\n")
        .replacing("|", with: separator))

    // A tab has no place in a name.
    let name = separator == "\t" ? "a b" : "a\(separator)b"
    expect(rows, ["Lamp 5 USD 1", "\(name) 1200.5 USD 1"])
  }

  @Test func `a quote in a cell without quotes is a character of it`() throws {
    try expect(
      rows("name,price\n24\" screen,5\nTV 5'6\",\"6\"\n6\" x 4\",7\n"),
      ["24\" screen 5 KRW 1", "TV 5'6\" 6 KRW 1", "6\" x 4\" 7 KRW 1"])
  }

  @Test func `a stray quote costs its own row and names its line`() throws {
    let sentence = "unmatched quotes"
    let table = [
      "name,price", "\"x\" screen,5", "\"24\" screen,5", "Lamp,6", "\"open,7", "Desk,8",
      "\"open too,\"\"9", "Chair,\"10\"", "\"two", "lines\",\"11\"x", "Sofa,12", "\"end,13",
      "Bed,14",
    ]

    try expect(
      rows(table.joined(separator: "\n")),
      [
        "line 2: \(sentence)", "line 3: \(sentence)", "Lamp 6 KRW 1", "line 5: \(sentence)",
        "Desk 8 KRW 1", "line 7: \(sentence)", "Chair 10 KRW 1", "lines 9 to 10: \(sentence)",
        "Sofa 12 KRW 1", "line 12: \(sentence)", "Bed 14 KRW 1",
      ])
  }

  @Test func `blank rows are none, and blanks around are nothing`() throws {
    try expect(
      rows(
        " Name , PRICE,Stock ,,\nLamp, 5 , 1,,\n,,,,\n  \n\"\",\"\"\n,,,,,,\n \"Desk\" ,6,2\n"),
      ["Lamp 5 KRW 1", "Desk 6 KRW 2"])
    try expect(
      rows("name,price\nLamp,5,\nLamp,5,x\nLamp\n"),
      [
        "Lamp 5 KRW 1", "line 3: 3 columns, unlike the first line",
        "line 4: 1 column, unlike the first line",
      ])
  }

  @Test func `columns are known by the labels of the form in either language`() throws {
    for language in Language.allCases {
      let strings = Strings(language)
      let labels = [ProductField.name, .price, .currency, .discount, .stock, .description].map {
        strings[$0.phrase].string.uppercased()
      }
      let header = labels.joined(separator: ",")
      try expect(rows("\(header)\nLamp,5,USD,1,3,text\n"), ["Lamp 5 USD 3"])
      // As macOS writes them.
      try expect(rows("\(decomposed(header))\nLamp,5,USD,1,3,text\n"), ["Lamp 5 USD 3"])
    }
  }

  /// Hangul syllables as their letters.
  private func decomposed(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
          guard (0xAC00...0xD7A3).contains(scalar.value) else { return [scalar] }
          let position = scalar.value - 0xAC00
          let letters = [
            0x1100 + position / 588, 0x1161 + position % 588 / 28, 0x11A7 + position % 28,
          ]
          return letters.filter { $0 != 0x11A7 }.compactMap(Unicode.Scalar.init)
        }))
  }

  @Test func `amounts are read as everywhere`() throws {
    try expect(
      rows(
        """
        name,price,currency
        a,"12,000원",
        b,$12.50,
        c,1만5천원,KRW
        d,"1,234.50",usd
        e,5,원
        f,-5,KRW
        """),
      [
        "a 12000 KRW 1", "b 12.5 USD 1", "c 15000 KRW 1", "d 1234.5 USD 1", "e 5 KRW 1",
        "line 7: price: Cannot be below 0",
      ])
    for row in ["$5,KRW", "0.500,USD", "95.50,KRW", "5원,USD"] {
      #expect(try rows("name,price,currency\na,\(row)\n")[0].hasPrefix("line 2: price: "))
    }
  }

  @Test func `a stock is read as an amount is, without decimals`() throws {
    let stocks = ["1.000", "1,000", "1000", " 1,000 ", "1.234.567", "1만", "9007199254740992"]
    let wrong = [
      "1.5", "1,50", "0.500", "1,234.567", "3원", "1e3", "many", "-1",
    ]

    let read = try rows((["name;price;stock"] + stocks.map { "a;5;\($0)" }).joined(separator: "\n"))
    let refused = try rows(
      (["name;price;stock"] + wrong.map { "a;5;\($0)" }).joined(separator: "\n"))

    expect(
      read,
      [1_000, 1_000, 1_000, 1_000, 1_234_567, 10_000, 9_007_199_254_740_992]
        .map { "a 5 KRW \($0)" })
    for (index, row) in refused.enumerated() {
      #expect(row.hasPrefix("line \(index + 2): stock"), "\(row)")
    }
  }

  @Test func `a column that is not known is told before anything is written`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    try markets.write("name,price,Colour,,x\nLamp,5,red,,\n", to: "a.csv")

    let strict = try await markets.importing("a.csv", into: store, isStrict: true)
    let (summary, problems) = try await markets.importing("a.csv", into: store)

    let unknown = [ImportProblem(line: 1, reason: .unknownColumns(["Colour", "4", "x"]))]
    #expect(strict.problems == unknown && strict.summary == ImportRun.Summary(refused: 1))
    #expect(problems == unknown && summary == ImportRun.Summary(added: 1))
    expect(
      unknown[0].text(Strings(.english)).string,
      "line 1: unknown columns are ignored: Colour, 4, x")
  }

  @Test func `a column that stands twice is refused by its name`() throws {
    #expect(throws: TransferError.columnTwice("price")) { try rows("name,price,가격\na,1,2\n") }
  }

  @Test func `a table comes through a pipe in any of these ways`() {
    let tables = [
      Array("name;price\rLamp;5\r".utf8), utf16("name\tprice\n", bigEndian: true),
      Array("\u{FEFF}\"이름\",\"가격\"\r\n".utf8),
    ]

    expect(tables.map { ArchiveFormat(sniffing: $0) }, [.table, .table, .table])
    for text in ["", "{\"name\":\"x\",\"price\":1}\n", "a,b\n", "[]"] {
      expect(ArchiveFormat(sniffing: Array(text.utf8)), .lines)
    }
  }

  @Test func `huge records and millions of separators cost their own row`() throws {
    let separators = String(repeating: ",", count: 200_000)
    let quotes = String(repeating: "\"\"", count: 100_000)
    let field = String(repeating: "x", count: 9 << 20)
    let table = [
      "name,price", separators, "a\(separators)", "\"\(quotes),1", "b,2", "\(field),3", "c,4",
      "\"\(field)", "d,\u{0}5", "e,6",
    ]

    let rows = try read(Array(table.joined(separator: "\n").utf8), pieces: [1 << 20])[0]

    expect(
      rows,
      [
        "line 3: 200,001 columns, unlike the first line", "line 4: unmatched quotes", "b 2 KRW 1",
        "line 6: longer than 8,388,608 bytes", "c 4 KRW 1", "line 8: longer than 8,388,608 bytes",
        "line 9: price: “�5”: Not an amount, such as 12,000 or 12.50", "e 6 KRW 1",
      ])
    #expect(throws: TransferError.self) { try self.rows("name,price\(separators)x\na,1\n") }
  }

  @Test func `any bytes are read to their end in pieces of any size alike`() throws {
    var random = SeededRandom(seed: 7)
    let pieces = [
      "\"", "\"\"", ",", ";", "\t", "\n", "\r", "\r\n", " ", "a", "5", "자", "\u{0}", "\u{FEFF}",
    ]
    for _ in 0..<300 {
      var bytes = Array("name,price\n".utf8)
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
        if Int.random(in: 0..<40, using: &random) == 0 {
          bytes.append(.random(in: 0x80...0xFF, using: &random))
        }
      }
      // Letters that are in no encoding refuse the whole table, in pieces of any size.
      do { _ = try rows(bytes) } catch TransferError.foreignEncoding(_) {}
    }
  }
}

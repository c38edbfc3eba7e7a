import Expectations
import MarketModel
import MarketStrings
import SafeTextKit
import TestSupport
import Testing
import TransferTestSupport

@testable import MarketTransfer

/// No row of a table is lost without being named.
struct LostRowTests {
  private static let encodings: [TextEncoding] = [.utf8, .cp949, .utf16LE, .utf16BE]

  /// The line in an encoding; of CP949 two words alone.
  private func encoded(_ line: String, _ encoding: TextEncoding) -> [UInt8] {
    switch encoding {
    case .utf16LE: return line.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    case .utf16BE: return line.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    case .cp949:
      let letters: [Character: [UInt8]] = ["의": [0xC0, 0xC7], "자": [0xC0, 0xDA]]
      return line.flatMap { letters[$0] ?? Array(String($0).utf8) }
    default: return Array(line.utf8)
    }
  }

  @Test(arguments: encodings, 0..<60)
  func `whatever is put into one row, all others come`(encoding: TextEncoding, seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    // What belongs to other rows as well: quotes, line ends, and half a unit of UTF-16.
    let forbidden: Set<UInt8> = [0x22, 0x0A, 0x0D]
    var garbage = (0..<Int.random(in: 1...(seed == 0 ? 200_000 : 40), using: &random)).map { _ in
      UInt8.random(in: seed.isMultiple(of: 2) ? 0...255 : 0x80...255, using: &random)
    }.filter { !forbidden.contains($0) }
    if [.utf16LE, .utf16BE].contains(encoding), !garbage.count.isMultiple(of: 2) {
      garbage.append(0x41)
    }
    let place = Int.random(in: 0..<30, using: &random)

    var bytes = encoded("name,price\n", encoding)
    for row in 0..<30 {
      bytes += encoded("의자 \(row)", encoding)
      if row == place { bytes += garbage }
      bytes += encoded(",5\n", encoding)
    }
    let rows = try readTable(bytes)

    let wanted = (0..<30).filter { $0 != place }.map { "의자 \($0) 5 USD 1" }
    expect(rows.count, 30, "\(encoding) \(seed)")
    expect(rows.filter(wanted.contains), wanted, "\(encoding) \(seed)")
  }

  /// Cells that a row may have in any place.
  private static let oddities = [
    "\"24\"", "5\" x", "x\u{0}", "\"a\nb\"", "\"a\r\nb\"", "20261120", "2099-01-01", "-7", "합계",
    "Total",
    "draft", "false", "31388", "US$ 20", "1.234,56", "=\"7\"", "NULL", "\\n", "a,b,c,d,e,f,g,h,i",
    "", "€5", "<b",
    "\u{202E}x", "👩‍👩‍👧‍👦★", "2026-11-20 오후 3:04", "5\"", "\"x\" y",
    String(repeating: "가", count: 1_500),
  ]

  @Test(
    arguments: oddities,
    [
      "name,price,stock,created,description,category",
      "Title,Variant Price,Variant Inventory Qty,Status,Handle,Body (HTML)",
      "상품명,판매가(원),재고수량,판매상태,등록일,상품상태",
    ])
  func `whatever one row holds, the rows around it come`(cell: String, headings: String) throws {
    let count = headings.split(separator: ",").count
    for place in 0..<count {
      func row(_ name: String) -> [String] {
        (0..<count).map { [name, "5", "2"].count > $0 ? [name, "5", "2"][$0] : "" }
      }
      var odd = row("odd")
      odd[place] = cell
      let lines = [headings] + [row("a"), odd, row("b")].map { $0.joined(separator: ",") }

      let rows = try readTable(lines.joined(separator: "\n"), currency: .krw)

      expect(rows.first, "a 5 KRW 2", "\(cell.prefix(20)) \(place)")
      expect(rows.last, "b 5 KRW 2", "\(cell.prefix(20)) \(place)")
      #expect(
        (3...4).contains(rows.count), "\(cell.prefix(20)) \(place): \(rows.map { $0.prefix(60) })")
    }
  }

  @Test(arguments: 0..<40) func `n rows in, n accounted for`(seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    let cells = [
      "", "Lamp", "5", "-", "NULL", "=\"7\"", "\"a\nb\"", "\"", "\"\"", "books", "Sofa", "20%",
      "2026. 1. 2.", "45000", "\u{0}", "https://a.example/b.jpg", "<p>x", "3.0", "h1", "h2",
      "5\" x", "\"5\" x\"", "2099-01-01", "20261120", "-3", "US$20", "draft", "합계", "31388", "a,b",
      "1.234,56",
      "\\n", "오후 3:04", "€5", "x\u{1B}", "\"two\r\nlines\"", "false",
    ]
    let headers = [
      "Handle,Title,Variant Price,Variant Inventory Qty,category,discount,created",
      "Handle,Name,Regular price,Sale price,In stock?,Status,Published",
      "Handle,상품명,판매가(원),정가,상품상태,판매상태,created",
    ]
    let header = headers[seed % headers.count]
    let count = Int.random(in: 1...40, using: &random)
    let lines = (0..<count).map { _ in
      let ragged =
        Int.random(in: 0..<12, using: &random) == 0 ? Int.random(in: 0...8, using: &random) : 5
      return (["h1", "h2", "h3", ""].randomElement(using: &random) ?? "") + ",x"
        + (0..<ragged).map { _ in "," + (cells.randomElement(using: &random) ?? "") }.joined()
    }
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    let table = ([header] + lines).joined(separator: "\n")
    try markets.write(table, to: "a.csv")
    var records = RecordReader(InputFile(of: Array(table.utf8)))
    var rows = -1
    while let record = try records.next() { rows += record.isBlank ? 0 : 1 }

    let (first, problems) = try await markets.importing("a.csv", into: store, batchSize: 7)
    let (second, _) = try await markets.importing("a.csv", into: store, batchSize: 5)

    expect(first.read, rows, "seed \(seed)")
    let named = problems.reduce(0) { $0 + ($1.isRefusal ? $1.rowCount : 0) }
    expect(named, first.refused, "seed \(seed)")
    expect(second, ImportRun.Summary(known: first.added, refused: first.refused), "seed \(seed)")
  }

  @Test func `an unclosed quote ends after a megabyte and names its lines`() throws {
    let row = "Lamp,6\n"
    let rows = String(repeating: row, count: (1 << 20) / row.utf8.count + 10)

    let table = try readTable("name,price\n\"open,5\n\(rows)\"Desk\",7\n")

    expect(table.first, "line 2: unmatched quotes")
    expect(table.count, rows.utf8.count / row.utf8.count + 2)
    // One that a later row closes names all lines that it took.
    try expect(
      readTable("name,price\n\"open,5\nLamp,6\n\",7,8\nDesk,9\n"),
      ["lines 2 to 4: 3 columns, unlike the first line", "Desk 9 USD 1"])
  }
}

extension ImportProblem {
  /// Whether the row was not imported.
  fileprivate var isRefusal: Bool {
    switch reason {
    case .unknownColumns, .futureDate, .priceIgnored, .unknownChoice(_, _, isDropped: true): false
    default: true
    }
  }
}

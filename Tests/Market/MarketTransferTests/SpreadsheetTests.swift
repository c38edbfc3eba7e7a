import Expectations
import MarketModel
import MarketStore
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

@testable import MarketTransfer

/// Exports that a spreadsheet has opened and saved again.
struct SpreadsheetTests {
  /// Records with what a spreadsheet does to each cell, and the separators of its settings.
  private func saved(
    _ text: String, separator: Character = ",", _ change: (String) -> String
  ) throws -> [UInt8] {
    var records = RecordReader(InputFile(of: Array(text.utf8)))
    var bytes: [UInt8] = []
    while let record = try records.next() {
      let cells = try record.fields.get().map { change(String(decoding: $0, as: UTF8.self)) }
      bytes += RecordReader.bytes(cells, separator: separator.asciiValue ?? RecordReader.comma)
    }
    return bytes
  }

  /// Instants as spreadsheets show them, and numbers without zeros at their end.
  private func shown(_ cell: String, _ form: (_ date: [Substring], _ time: Substring) -> String)
    -> String
  {
    if cell.utf8.count == 20, cell.hasSuffix("Z"), cell.contains("T") {
      return form(cell.prefix(10).split(separator: "-"), cell.dropFirst(11).prefix(5))
    }
    return cell.hasSuffix(".50") ? String(cell.dropLast()) : cell
  }

  @Test func `a table that a spreadsheet saved again changes nothing`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    try markets.write(
      "name,price,currency,discount,stock,category,condition,place,description,created,reserved\n"
        + "의자,12.50,USD,2.50,3,furniture,like-new,마포,\"두 줄\n의 글; 쉼표, 따옴표 \"\"\",2022-11-20 3:04,yes\n"
        + "Lamp,1000,KRW,,2,,,,<b>&amp;</b>,2022/11/20,no\n'Tis,5,USD,,1,,,,,,\n",
      to: "first.csv")
    _ = try await markets.importing("first.csv", into: store)
    try await markets.exporting(store, to: "own.csv")
    let own = try markets.text(of: "own.csv")
    let before = try markets.rows(of: "a.sqlite")

    let korean = try saved(own) { cell in
      self.shown(cell) { date, time in date.joined(separator: "-") + " " + time }
    }
    let american = try saved(own) { cell in
      self.shown(cell == "yes" ? "TRUE" : cell) { date, time in
        "\(date[1])/\(date[2])/\(date[0]) \(time)"
      }
    }
    let tabs = try saved(own, separator: "\t") { $0 }
    let utf16: [UInt8] = "\u{FEFF}\(String(decoding: tabs, as: UTF8.self))".utf16.flatMap {
      unit -> [UInt8] in [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
    }
    for bytes in [Array(own.utf8), korean, american, utf16, try saved(own, separator: ";") { $0 }] {
      try markets.write(bytes, to: "saved.csv")
      let (summary, problems) = try await markets.importing("saved.csv", into: store)
      expect(summary, ImportRun.Summary(known: 3))
      expect(problems, [])
    }

    try expect(markets.rows(of: "a.sqlite"), before)
    #expect(own.contains("2022-11-"))
  }

  @Test func `dates of exports are of RFC 3339`() {
    guard let price = Price(full: Money(hundredths: 500, currency: .usd)) else { return }
    let product = ArchivedProduct(
      name: "x", price: price, stock: 1, created: 1_795_111_440, changed: 1_795_111_441)

    let row = String(decoding: ProductTable.bytes(product), as: UTF8.self)

    #expect(row.contains(",2026-11-19T18:04:00Z,2026-11-19T18:04:01Z,"), "\(row)")
  }
}

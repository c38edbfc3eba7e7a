import Expectations
import MarketModel
import TestSupport
import Testing

struct ListedRowTests {
  private static func form(_ number: Int) -> ListedRow.Form {
    ListedRow.Form(dialect: "2023", base: "https://market\(number).example")
  }

  @Test func `a row is written once in each form`() {
    let row = ListedRow(.sample(), description: "", version: 1)
    let places: [ListedRow.Form] = [
      Self.form(1), Self.form(2), ListedRow.Form(dialect: "2021", base: "https://market1.example"),
      ListedRow.Form(
        dialect: "2023", base: "https://market1.example", daysIn: .fixed(seconds: 3_600)),
    ]

    let first = places.indices.map { place in row.bytes(in: places[place]) { [UInt8(place)] } }
    let again = places.indices.map { place in row.bytes(in: places[place]) { [] } }

    expect(first, [[0], [1], [2], [3]])
    expect(again, first)
  }

  @Test func `no more is kept of a row than it was said to take`() {
    let row = ListedRow(.sample(), description: "As good as new.", version: 1)
    let bytes = [UInt8](repeating: 0x20, count: 700)
    for number in 0..<1_000 { _ = row.bytes(in: Self.form(number)) { bytes } }

    var kept = 0
    for number in (0..<1_000).reversed() {
      guard row.bytes(in: Self.form(number), writing: { [] }) == bytes else { break }
      kept += bytes.count
    }
    let isHeld = row.bytes(in: Self.form(1_000)) { [UInt8](repeating: 0, count: row.byteCount) }

    #expect(kept > 700 && kept < row.byteCount)
    expect(isHeld.count, row.byteCount)
    expect(row.bytes(in: Self.form(1_000)) { [1] }, [1])
  }
}

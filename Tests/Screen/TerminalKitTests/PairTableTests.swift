import Expectations
import Testing

@testable import TerminalKit

struct PairTableTests {
  private static func colors(_ number: Int32) -> PairTable.Colors {
    PairTable.Colors(foreground: number, background: -1)
  }

  @Test func `the terminal's own colours are pair 0 and others count from 1`() throws {
    var table = PairTable(capacity: 2)

    let assigned = table.assign(Self.colors(7))
    let first = try #require(assigned)

    expect(table.number(of: Self.colors(-1)), 0)
    expect(first.number, 1)
    #expect(!first.isReused)
    expect(table.number(of: Self.colors(7)), 1)
  }

  @Test func `a full table gives out only what no cell uses`() throws {
    var table = PairTable(capacity: 3)
    for number: Int32 in 1...3 { _ = table.assign(Self.colors(number)) }
    let refused4 = table.assign(Self.colors(4))
    #expect(refused4 == nil)

    table.recycle(keeping: [1, 3, 3])
    let assigned = table.assign(Self.colors(4))
    let reused = try #require(assigned)

    expect(reused.number, 2)
    #expect(reused.isReused)
    expect(table.number(of: Self.colors(2)), nil)
    expect(table.number(of: Self.colors(1)), 1)
    let refused5 = table.assign(Self.colors(5))
    #expect(refused5 == nil)
  }

  @Test func `pairs last for 1,000 pages of colours that never were before`() {
    var table = PairTable(capacity: 9_999)
    var shown: [Int32] = []
    var missing = 0
    for page: Int32 in 0..<1_000 {
      var next: [Int32] = []
      for cell: Int32 in 0..<2_000 {
        let wanted = Self.colors(page * 2_000 + cell)
        if let pair = table.assign(wanted) {
          next.append(pair.number)
          continue
        }
        table.recycle(keeping: [shown, next].joined())
        if let pair = table.assign(wanted) { next.append(pair.number) } else { missing += 1 }
      }

      #expect(Set(next).isDisjoint(with: shown) && Set(next).count == next.count)
      shown = next
    }

    expect(missing, 0)
  }
}

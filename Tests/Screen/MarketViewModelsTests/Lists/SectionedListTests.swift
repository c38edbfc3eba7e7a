import EditorKit
import Expectations
import MarketViewModels
import TestSupport
import Testing

struct SectionedListTests {
  private nonisolated struct Fruit: Hashable, Identifiable {
    let id: Int
    var name = ""
  }
  private typealias Sections = [ListSection<String, Fruit>]

  private static func section(_ heading: String?, _ ids: some Sequence<Int>) -> ListSection<
    String, Fruit
  > {
    ListSection(heading, ids.map { Fruit(id: $0) })
  }

  private static func list(
    _ sections: Sections, rows: Int = 10, hasGaps: Bool = false
  ) -> SectionedList<String, Fruit> {
    let list = SectionedList<String, Fruit>(hasGaps: hasGaps)
    list.show(sections)
    list.didLayOut(rows: rows)
    return list
  }

  private static let fruits = [section("a", [1, 2]), section("b", []), section("c", [3, 4, 5])]

  @Test func `the first item is selected, and headings are passed over both ways`() {
    let list = Self.list(Self.fruits)

    #expect(list.selected?.id == 1 && list.viewport.selected == 1)
    list.move(.down, times: 2)
    #expect(list.selected?.id == 3 && list.rowCount == 7)
    list.move(.up)
    expect(list.selected?.id, 2)
  }

  @Test func `its ends are not passed, whatever the count`() {
    let list = Self.list(Self.fruits)

    list.move(.up, times: .max)
    expect(list.selected?.id, 1)
    list.move(.down, times: .max)
    expect(list.selected?.id, 5)
    list.move(.pageDown)
    list.move(.last)
    expect(list.selected?.id, 5)
  }

  @Test func `the selected item stays selected while others come and go`() {
    let list = Self.list(Self.fruits)
    list.select(4)

    list.show([Self.section("a", [9, 1, 2]), Self.section("c", [3, 4])])

    #expect(list.selected?.id == 4 && list.selectedNumber == 4)
  }

  @Test func `where the selected item has gone one beside it is selected`() {
    let list = Self.list(Self.fruits)
    list.select(5)

    list.show([Self.section("a", [1, 2])])
    expect(list.selected?.id, 2)
    list.show([])
    #expect(list.selected == nil && list.isEmpty && list.isRead)
    list.show(Self.fruits)
    expect(list.selected?.id, 1)
  }

  @Test func `an item that looks otherwise by now is shown so`() {
    let list = Self.list([Self.section(nil, [1])])

    list.show([ListSection([Fruit(id: 1, name: "new")])])

    expect(list.selected?.name, "new")
  }

  @Test func `what is typed selects the first of what is left`() {
    let list = Self.list(Self.fruits)
    list.select(4)

    list.edit { $0.type("x") }
    list.show([Self.section("c", [3, 4])])
    #expect(list.selected?.id == 3 && list.words == "x")
    list.move(.down)
    list.show(Self.fruits)

    expect(list.selected?.id, 4)
  }

  @Test func `what is selected stays so when all is shown again`() {
    let list = Self.list(Self.fruits)
    list.edit { $0.type("x") }
    list.show([Self.section("c", [4])])

    list.clearFilter()
    list.show(Self.fruits)

    #expect(list.words.isEmpty && list.selected?.id == 4)
  }

  @Test func `sections are reached one after the other, and gaps are no items`() {
    let list = Self.list(Self.fruits, hasGaps: true)
    expect(list.rowCount, 8)

    list.moveSection(forward: true)
    expect(list.selected?.id, 3)
    list.moveSection(forward: true)
    expect(list.selected?.id, 3)
    list.moveSection(forward: false)

    expect(list.selected?.id, 1)
  }

  @Test func `in windows of any height every move leaves an item selected and in sight`() {
    var random = SeededRandom(seed: 34)
    let moves: [Viewport.Move] = [
      .up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last,
    ]
    for _ in 0..<200 {
      let sections = (0..<Int.random(in: 1...5, using: &random)).map { part in
        Self.section(
          Bool.random(using: &random) ? "\(part)" : nil,
          part * 100..<part * 100 + Int.random(in: 0...12, using: &random))
      }
      let list = Self.list(
        sections, rows: Int.random(in: 1...8, using: &random),
        hasGaps: Bool.random(using: &random))
      for _ in 0..<20 {
        list.move(
          moves.randomElement(using: &random) ?? .up, times: Int.random(in: 1...4, using: &random))
        expect(list.selected == nil, list.count == 0)
        if list.count > 0 {
          #expect(list.viewport.visible.contains(list.viewport.selected))
        }
      }
    }
  }
}

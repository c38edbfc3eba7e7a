import EditorKit
import MarketViewModels
import Testing

@Suite struct HelpModelTests {
  @Test func `the selection stays within the rows that the filter leaves`() {
    let help = HelpModel()

    help.move(by: 9, count: 4)
    #expect(help.selected == 3)
    help.move(by: -9, count: 4)

    #expect(help.selected == 0)
  }

  @Test func `typing narrows from the first row on`() {
    let help = HelpModel()
    help.move(by: 2, count: 4)

    help.edit { $0.type("검색") }

    #expect(help.filter.text == "검색")
    #expect(help.selected == 0)
  }

  @Test func `no rows leave nothing to move to`() {
    let help = HelpModel()

    help.move(by: 1, count: 0)

    #expect(help.selected == 0)
  }
}

import EditorKit
import MarketViewModels
import Testing

@Suite struct PaletteModelTests {
  @Test func `what is typed begins at the first line again`() {
    let model = PaletteModel()
    model.move(by: 5, count: 10)
    #expect(model.selected == 5)

    model.edit { $0.type("s") }

    #expect(model.selected == 0)
  }

  @Test func `moving the caret keeps the selected line`() {
    let model = PaletteModel()
    model.edit { $0.type("s") }
    model.move(by: 3, count: 10)

    model.edit { $0.move(.left) }

    #expect(model.selected == 3)
  }

  @Test func `the selection stays within the lines`() {
    let model = PaletteModel()

    model.move(by: 40, count: 3)
    #expect(model.selected == 2)
    model.move(by: -40, count: 3)
    #expect(model.selected == 0)
    model.move(by: 1, count: 0)
    #expect(model.selected == 0)
  }
}

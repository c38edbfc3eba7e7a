import EditorKit
import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// The mouse in the form and in what lies over it.
struct SellingMouseTests {
  private func stageWithForm() async -> Stage {
    let stage = Stage(sells: true)
    stage.press("n")
    await until { stage.form != nil }
    stage.press(.tab, "로", "드", "뷰", .tab, .tab, "2", "4", "0", "0", "0", "0")
    return stage
  }

  /// The row in which a field begins.
  private func row(of field: ProductField, on stage: Stage) -> Int {
    let label = Strings(.korean)[field.phrase].string
    return stage.lines(80, 24).firstIndex { $0.hasPrefix(" " + label) } ?? 0
  }

  @Test func `a click puts the caret between letters, wide ones and digits with separators`() async
  {
    let stage = await stageWithForm()

    stage.click(17, row(of: .name, on: stage))
    stage.press("a")
    stage.click(19, row(of: .price, on: stage))
    stage.press("9")
    stage.click(60, row(of: .name, on: stage))
    stage.press("b")

    expect(stage.form?.name.text, "로a드뷰b")
    expect(stage.form?[.price].text, "2409000")
  }

  @Test func `a click in the text goes to its row and column`() async {
    let stage = await stageWithForm()
    stage.click(20, row(of: .description, on: stage) + 1)
    // The photos fold to a line meanwhile.
    let row = row(of: .description, on: stage)
    for letter in "first" { stage.press(KeyPress(.character(letter))) }
    stage.press(.enter)
    for letter in "second" { stage.press(KeyPress(.character(letter))) }

    stage.click(17, row)
    stage.press("X")
    stage.click(18, row + 1)
    stage.press("Y")

    expect(stage.form?.description.text, "fiXrst\nsecYond")
  }

  @Test func `a currency is chosen by two clicks`() async {
    let stage = await stageWithForm()

    stage.click(16, row(of: .currency, on: stage))
    await stage.settle()
    let lines = stage.lines(80, 24)
    let row = lines.firstIndex { $0.contains("USD") } ?? 0
    let column = lines[row].prefix { $0 != "U" }.count
    stage.click(column, row)
    await stage.settle()

    expect(stage.form?.currency, .usd)
  }

  @Test func `a question is answered by a click on the answer`() async {
    let stage = await stageWithForm()
    stage.navigator.selling?.form?.addPhotos(named: "/a.jpg")
    await until { stage.form?.photos.photos.first?.picture != nil }
    stage.click(16, 3)
    await stage.settle()
    stage.press(.delete)
    await stage.settle()
    let question = stage.lines(80, 24)
    let row = question.firstIndex { $0.contains("아니요") } ?? 0
    let start = question[row].prefix { $0 != "삭" }

    stage.click(start.count, row)
    await stage.settle()

    expect(stage.form?.photos.photos.isEmpty, true)
  }
}

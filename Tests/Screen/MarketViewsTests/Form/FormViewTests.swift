import EditorKit
import MarketModel
import MarketViewModels
import MarketViews
import TerminalKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FormViewTests {
  /// A registration that has been filled in in part.
  private func stageWithForm() async -> Stage {
    let stage = Stage(sells: true)
    stage.press("n")
    await until { stage.form != nil }
    stage.press(.tab, "로", "드", .tab, "2", "4", "0", "0", "0", "0", .tab, .tab)
    stage.press("2", "6", "0", "0", "0", "0", .tab)
    return stage
  }

  @Test func `a form stands as it does on paper, with the problem beside its field`() async {
    let stage = await stageWithForm()

    let lines = stage.lines(80, 24)

    #expect(
      Array(lines[7..<14]) == [
        "",
        "  이름 *       로드",
        "              ✗ 3자 이상이어야 합니다",
        "  가격 *       240,000",
        "  통화         KRW ▾",
        "  할인         260,000              ✗ 할인이 가격(240,000)보다 큽니다",
        "  재고 *    ▸  1",
      ])
    #expect(lines[21] == "  비밀번호 *                        수정·삭제에 필요 · 이 컴퓨터에 저장 안 함")
  }

  @Test func `the cursor stands at the caret, behind separators and wide letters`() async {
    let stage = await stageWithForm()

    #expect(stage.screen(80, 24).draw().cursor?.point == CellPoint(column: 16, row: 13))
    stage.press(.up)

    #expect(stage.screen(80, 24).draw().cursor?.point == CellPoint(column: 22, row: 12))
  }

  @Test(arguments: [(80, 24), (60, 14), (40, 10), (20, 6), (200, 60)])
  func `the field with the focus is in sight in every window`(columns: Int, rows: Int) async {
    let stage = await stageWithForm()

    for _ in ProductField.allCases {
      stage.press(.tab)

      let cursor = stage.screen(columns, rows).draw().cursor
      #expect(cursor.map { $0.point.row > 0 && $0.point.row < rows - 1 } == true)
    }
  }

  @Test func `no key of the Hangul layout asks to delete`() async {
    let stage = Stage(sells: true)
    await stage.show([.sample(id: 1)])

    stage.press("ㅇ")
    #expect(stage.top === stage.browser)
    stage.press("D")

    #expect(stage.top is PasswordModel)
  }

  @Test func `a password is dots, in the prompt and in the form`() async {
    let stage = Stage(sells: true)
    await stage.show([.sample(id: 1, name: "자전거")])

    stage.press("e", "s", "e", "c", "r")

    let lines = stage.lines(80, 24)
    #expect(lines.contains { $0.contains("비밀번호   ••••") })
    #expect(!lines.contains { $0.contains("secr") })
  }
}

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

struct FormViewTests {
  /// A registration that has been filled in in part.
  private func stageWithForm() async -> Stage {
    let stage = Stage(sells: true)
    stage.press("n")
    await until { stage.form != nil }
    stage.press(.tab, "로", "드", .tab, .tab, "2", "4", "0", "0", "0", "0", .tab)
    stage.press("2", "6", "0", "0", "0", "0", .tab)
    return stage
  }

  @Test func `an amount says beside it how it is read, and elsewhere stands as that`() async {
    let stage = Stage(sells: true)
    stage.press("n")
    await until { stage.form != nil }
    stage.press(.tab, .tab, .tab, "1", "만", "5", "천", "원")

    #expect(stage.lines(80, 24).contains(" 가격 *     ▸  1만5천원             = ₩15,000"))
    stage.press(.tab)

    #expect(stage.lines(80, 24).contains(" 가격 *        15,000"))
    expect(stage.form?[.price].text, "1만5천원")
  }

  @Test func `an amount of dollars changes the currency that the form proposes`() async {
    let stage = Stage(sells: true)
    stage.press("n")
    await until { stage.form != nil }
    stage.press(.tab, .tab, .tab)
    stage.navigator.selling?.form?.paste("$12.50")

    let lines = stage.lines(80, 24)

    #expect(lines.contains(" 통화          USD ▾"))
    #expect(lines.contains(" 가격 *     ▸  $12.50               = $12.50"))
  }

  @Test func `a discount says what it comes to, in percent and in what is to be paid`() async {
    let stage = await stageWithForm()
    stage.press(.backTab, .control("u"), "2", "0", "%")

    let row = " 할인       ▸  20%                  = ₩48,000 (20%) · 판매가 ₩192,000"
    #expect(stage.lines(80, 24).contains(row))
    stage.press(.control("u"), "6", "0", "0", "0", "0", .tab)

    #expect(
      stage.lines(80, 24, .english).contains(
        " Discount         60,000               = ₩60,000 (25%) · ₩180,000 to pay"))
  }

  @Test func `category and condition share a row, and an arrow makes a known place of a begun one`()
    async throws
  {
    let stage = Stage(sells: true)
    var known = Product.sample(id: 3)
    known.place = "서울 마포구"
    try await stage.show([known])
    stage.press("n")
    await until { stage.form != nil }
    stage.navigator.selling?.form?.edit { $0.focus(.category) }

    stage.press(.enter, "s", "p", "o", .enter)
    await until { stage.form?[.category].text == "sports" && stage.top is FormModel }
    stage.press(.tab, .enter, "g", "o", "o", .enter)
    await until { stage.form?[.condition].text == "good" && stage.top is FormModel }
    stage.press(.tab, "서", "울")
    let begun = stage.lines(80, 24)
    stage.press(.right)
    let completed = stage.form?[.place].text
    stage.press(.tab)

    #expect(begun.contains(" 분류          스포츠 ▾             상태          좋음 ▾"))
    #expect(begun.contains(" 지역       ▸  서울 마포구"))
    #expect(begun[23].contains("→ 자동 완성") && begun[23].contains("Tab 다음"))
    #expect(completed == "서울 마포구" && stage.form?.focus == .description)
  }

  @Test func `Tab leaves a place as it was typed, and one spelled otherwise stands behind it`()
    async throws
  {
    let stage = Stage(sells: true)
    var known = Product.sample(id: 3)
    known.place = "서울 마포구"
    try await stage.show([known])
    stage.press("n")
    await until { stage.form != nil }
    stage.navigator.selling?.form?.edit { $0.focus(.place) }

    stage.press("서", "울", "마")
    let begun = stage.lines(80, 24)
    stage.press(.tab)

    #expect(begun.contains(" 지역       ▸  서울마 → 서울 마포구"))
    #expect(stage.form?[.place].text == "서울마" && stage.form?.focus == .description)
  }

  @Test func `what was left out of a form is said by its names`() {
    let notice = Notice.dropped([.category, .place])

    expect(
      NoticeText.text(notice, Strings(.english)).description,
      "This market has no such fields, so they were left out: Category, Place")
    expect(
      NoticeText.text(.dropped([.reserved]), Strings(.korean)).description,
      "이 마켓에 없는 항목이라 제외했습니다: 예약")
  }

  @Test
  func `a market that lacks fields has no rows for them, and only an edit asks about reserving`()
    async throws
  {
    var lacking = RepositoryCapabilities.full
    lacking.lackingFields = [.category, .condition, .place, .reserved]
    let old = Stage(repository: GatedProductRepository(capabilities: lacking), sells: true)
    try await old.show([.sample(id: 3)])
    let new = Stage(sells: true)
    try await new.show([.sample(id: 3)])
    for stage in [old, new] {
      stage.press("n")
      await until { stage.form != nil }
    }
    let edit = ProductForm(.edit(.sample(of: .sample(id: 3))), capabilities: .full)

    func labels(_ stage: Stage) -> [Bool] {
      let lines = stage.lines(80, 24)
      return [" 분류 ", " 지역 ", " 예약 "].map { label in lines.contains { $0.hasPrefix(label) } }
    }
    expect(labels(old), [false, false, false])
    expect(labels(new), [true, true, false])
    #expect(edit.fields.contains(.reserved))
  }

  @Test func `in a small window a problem keeps its number`() async {
    let stage = await stageWithForm()

    let korean = stage.lines(40, 12)
    let english = stage.lines(40, 12, .english)

    #expect(english[2].hasPrefix(" Name *           로드") && english[2].hasSuffix("✗ min. 3"))
    #expect(english[5].hasSuffix("✗ max. 240,000") && korean[5].hasSuffix("✗ 240,000 이하"))
    #expect(korean[2].hasSuffix("✗ 3 이상"))
  }

  @Test func `a password of the form is shown on demand, until something lies over it`()
    async throws
  {
    let stage = try await SellingScreen.secret.stage()
    stage.press("s", "e", "c", "r", .tab, "s", "e", "c", "x")
    expect(stage.lines(80, 24, .english).last?.contains("F9 Show"), true)

    stage.press(.function(9))
    let shown = stage.lines(80, 24, .english)
    #expect(shown[21].hasPrefix(" Password *       secr"))
    #expect(shown[22].hasPrefix(" Repeat *      ▸  secx") && shown[23].contains("F9 Hide"))
    stage.press(.function(1))
    stage.press(.escape)
    #expect(stage.top is FormModel && stage.lines(80, 24)[21].contains("••••"))
    stage.press(.control("s"))

    #expect(stage.lines(80, 24, .english)[21].contains("••••"))
    expect(stage.lines(80, 24, .english).joined().contains("secr"), false)
  }

  @Test func `the least length of a password and what it is for stand beside it from the start`()
    async throws
  {
    let stage = Stage(sells: true)
    stage.press("n")
    await until { stage.form != nil }

    let lines = stage.lines(80, 24, .english)

    #expect(lines[21].hasPrefix(" Password *") && lines[21].hasSuffix("  At least 4 characters"))
    #expect(lines[22].hasSuffix("  Needed to edit or delete; not saved here"))
  }

  @Test func `many choices are narrowed by typing, and Enter leaves the form open`() async throws {
    let stage = Stage(sells: true)
    stage.press("n")
    await until { stage.form != nil }
    stage.navigator.selling?.form?.edit { $0.focus(.category) }

    stage.press(.enter)
    for letter in "spor" { stage.press(KeyPress(letter)) }
    let lines = stage.lines(80, 24, .english)
    stage.press(.enter)
    await until { stage.top is FormModel }

    expect(lines.filter { $0.contains("▌ ") }.map { $0.contains("Sports") }, [true])
    expect(stage.form?[.category].text, "sports")
    stage.press("x", .enter)
    #expect(stage.top is ChoiceModel)
  }

  @Test func `a repetition that differs is told beside its line`() async throws {
    let stage = try await SellingScreen.secret.stage()
    stage.press("s", "e", "c", "r", .tab, "s", "e", "c", "x", .tab)

    expect(
      stage.lines(80, 24, .english)[22], " Repeat *         ••••                 ✗ Not the same")
    stage.click(20, 22)

    #expect(stage.form?.focus == .password && stage.form?.entry.isRepeating == true)
  }

  @Test func `a long description begins with its first line until it is gone to`() async throws {
    let stage = Stage(sells: true)
    stage.press("n")
    await until { stage.form != nil }
    for _ in 1...9 { stage.press(.tab) }
    for line in 1...30 { stage.press("z", line < 10 ? "a" : "b", .enter) }
    let edited = stage.lines(80, 24)
    stage.press(.backTab)

    let left = stage.lines(80, 24)
    let row = try #require(left.firstIndex { $0.contains("za") })
    stage.click(15, row + 1)

    #expect(!edited.contains { $0.contains("za") })
    #expect(left[row].contains("설명") && left.contains { $0.hasSuffix("▾") })
    expect(stage.form?.focus, .description)
    expect(stage.form?.description.buffer.caret, 3)
  }

  @Test func `a field that is empty shows an example, which is no content and goes with a letter`()
    async
  {
    let stage = Stage(sells: true)
    stage.press("n")
    await until { stage.form != nil }
    stage.press(.tab)
    let example = "예: 로드 자전거 21단, 출퇴근용"
    expect(stage.lines(80, 24)[8], " 이름 *     ▸  " + example)

    stage.press("x")

    expect(stage.lines(80, 24)[8], " 이름 *     ▸  x")
    #expect(stage.form?.name.text == "x" && stage.form?[.price].text == "")
  }

  @Test(arguments: [(80, 24), (60, 14)])
  func `no field looks like the one above it`(columns: Int, rows: Int) async {
    let stage = await stageWithForm()
    let labels = ["이름", "가격", "통화", "할인", "재고", "설명"]

    for _ in ProductField.allCases {
      stage.press(.tab)
      let canvas = stage.screen(columns, rows).draw()

      let places = labels.compactMap { label in
        canvas.lines.firstIndex { $0.hasPrefix(" " + label) }
      }
      expect(places.count, labels.count)
      for (above, below) in zip(places, places.dropFirst()) where below == above + 1 {
        let grounds = [above, below].map { canvas[CellPoint(column: 30, row: $0)].style.background }
        #expect(grounds[0] != grounds[1])
      }
    }
  }

  @Test(arguments: Theme.Ground.allCases)
  func `with high contrast only the field with the focus has the opposite ground`(
    ground: Theme.Ground
  ) async {
    let stage = await stageWithForm()
    let theme = Theme(ground, scheme: .highContrast, strikesThrough: true)

    let canvas = stage.screen(80, 24, theme: theme).draw()
    let fields = (10...13).map { canvas[CellPoint(column: 30, row: $0)].style }

    #expect(fields[..<3].allSatisfy { $0.background == theme.restingField.background })
    #expect(fields[3].background != theme.restingField.background)
    // Without a background of its own each is underlined.
    let isUnderlined = fields.prefix(3).allSatisfy { $0.attributes.contains(.underline) }
    #expect(isUnderlined || fields[0] != fields[1] && fields[1] != fields[2])
  }

  /// A form with the focus in a description of so many lines.
  private func stage(writing lines: Int) async -> Stage {
    let stage = Stage(sells: true)
    stage.press("n")
    await until { stage.form != nil }
    stage.navigator.selling?.form?.edit { form in
      form.focus(.description)
    }
    let text = (1...lines).map { "line \($0)" }.joined(separator: "\n")
    stage.screen(80, 24).handle(.paste(text))
    return stage
  }

  @Test(arguments: Language.allCases)
  func `a first sale is one form, in which the description has three rows and nothing jumps`(
    language: Language
  ) async {
    let stage = Stage(sells: true, accounts: FakeAccounts(isKnown: false))
    stage.press("n")
    await until { stage.form != nil }
    stage.navigator.selling?.form?.edit { form in
      form.focus(.description)
      _ = form.paste("1\n2\n3")
      form.focus(.pictures)
    }
    let labels =
      language == .english
      ? ["Photos", "Name", "Place", "Description", "Seller name", "Password", "Repeat"]
      : ["사진", "이름", "지역", "설명", "판매자 이름", "비밀번호", "한 번 더"]
    func places() -> [Int?] {
      let lines = stage.lines(80, 24, language)
      return (labels.map { " " + $0 } + ["                  3"]).map { start in
        lines.firstIndex { $0.hasPrefix(start) }
      }
    }
    let first = places()

    #expect(!first.contains(nil))
    for _ in stage.form?.fields ?? [] {
      stage.press(.tab)
      expect(places(), first)
    }
  }

  @Test func `marks say that a text goes on above and below`() async {
    let stage = await stage(writing: 30)

    // The first three marks are those of the choices.
    func marks() -> String { stage.lines(80, 24).joined().filter { "▴▾".contains($0) } }
    expect(marks(), "▾▾▾▴")
    for _ in 1...15 { stage.press(.up) }
    expect(marks(), "▾▾▾▴▾")
    stage.press(KeyPress(.home, .control))

    expect(marks(), "▾▾▾▾")
  }

  @Test func `the counter warns near the end and says what a paste lost`() async {
    let stage = await stage(writing: 1)
    let screen = stage.screen(80, 24)
    screen.handle(.paste(String(repeating: "가", count: 930)))
    #expect(stage.lines(80, 24).contains { $0.hasPrefix(" 936/1000") })

    screen.handle(.paste(String(repeating: "가", count: 30)))
    #expect(stage.lines(80, 24).contains { $0.hasSuffix(" 34자 남음 · 966/1000") })
    screen.handle(.paste(String(repeating: "나", count: 46)))

    #expect(stage.lines(80, 24).contains { $0.hasSuffix(" 12자 잘림 · 1000/1000") })
    expect(stage.navigator.notice, nil)
    stage.press(.backspace)
    #expect(stage.lines(80, 24).contains { $0.hasSuffix(" 1자 남음 · 999/1000") })
  }

  @Test func `lines are 72 columns where there is room`() async {
    let stage = await stage(writing: 1)

    stage.screen(119, 36).handle(.paste(" " + String(repeating: "x", count: 100)))

    let longest = stage.lines(119, 36, .english).map { $0.filter { $0 == "x" }.count }.max()
    expect(longest, 72)
  }

  @Test func `keys for photos are offered where they do something`() async throws {
    let stage = try await SellingScreen.photos.stage()
    func offered() -> [String] {
      stage.screen(80, 24).rows.filter(\.isOffered).map(\.name)
    }
    expect(offered().filter { $0.contains("photo") }, ["add-photo"])

    stage.navigator.selling?.form?.addPhotos(named: "/a.jpg /b.jpg")
    await until { stage.form?.photos.photos.count == 2 && stage.form?.photos.isBusy == false }
    stage.press(.left)
    #expect(offered().contains("move-photo-left") && !offered().contains("move-photo-right"))
    stage.press(.left)

    #expect(offered().contains("move-photo-right") && offered().contains("remove-photo"))
    expect(stage.lines(80, 24).last?.contains("Esc"), true)
    expect(stage.lines(80, 24, .english).last?.contains("Esc"), true)
  }

  @Test func `c makes a photo the cover, and stays on it`() async throws {
    let stage = try await SellingScreen.photos.stage()
    stage.navigator.selling?.form?.addPhotos(named: "/a.jpg /b.jpg /d.jpg")
    await until { stage.form?.photos.photos.count == 3 && stage.form?.photos.isBusy == false }
    stage.press(.left)

    stage.press("c")

    expect(stage.form?.photos.photos.map(\.name), ["d.jpg", "a.jpg", "b.jpg"])
    expect(stage.form?.photos.selected, 0)
    #expect(!stage.screen(80, 24).rows.filter(\.isOffered).map(\.name).contains("make-cover"))
  }

  @Test func `a photo is told about by its name and its sizes, and moves where it can`() async {
    let stage = Stage(sells: true)
    stage.press("n")
    await until { stage.form != nil }
    for (index, name) in ["/bike.jpg", "/w"].enumerated() {
      stage.navigator.selling?.form?.addPhotos(named: name)
      await until { stage.form?.photos.photos.count == index + 1 }
      await until { stage.form?.photos.isBusy == false }
    }
    expect(stage.lines(80, 24, .english)[6], "                 w  2 B")
    expect(
      stage.lines(80, 24, .english)[23],
      " ^S List it  ↵ Add a photo  Tab Next  F1 Help  Esc Leave (draft)")

    stage.press(.left, .left)

    expect(stage.lines(80, 24, .english)[6], "                 Cover · bike.jpg  9 B → 6 B")
    let keys = stage.screen(80, 24).rows.filter(\.isOffered).map(\.name)
    #expect(keys.contains("move-photo-right") && !keys.contains("move-photo-left"))
  }

  @Test func `the cursor stands at the caret, behind digits as they were typed and wide letters`()
    async
  {
    let stage = await stageWithForm()

    expect(stage.screen(80, 24).draw().cursor?.point, CellPoint(column: 16, row: 13))
    stage.press(.up)

    expect(stage.screen(80, 24).draw().cursor?.point, CellPoint(column: 21, row: 12))
  }

  @Test(arguments: [(80, 24), (60, 14), (40, 10), (20, 6), (200, 60)])
  func `the field with the focus is in sight in every window`(columns: Int, rows: Int) async {
    let stage = await stageWithForm()

    for _ in ProductField.allCases {
      stage.press(.tab)

      let cursor = stage.screen(columns, rows).draw().cursor
      expect(cursor.map { $0.point.row > 0 && $0.point.row < rows - 1 }, true)
    }
  }
}

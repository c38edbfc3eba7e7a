import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct PictureViewTests {
  /// A stage that shows a picture of a product over the whole window.
  private func stage(pictures count: Int = 4, of paint: Paint = Paint()) async throws -> Stage {
    let stage = Stage(pictures: paint)
    let product = Product.sample(id: 66, name: "로드 자전거", thumbnail: .numbered(0))
    try await stage.show([product])
    stage.press(.enter)
    try await stage.repository.details.next().answer(
      .sample(of: product, pictures: (0..<count).map(Picture.numbered)))
    await until { stage.browser.detail.isComplete }
    stage.press(.enter)
    await stage.picturesCome()
    return stage
  }

  /// The part of a picture that the screen shows.
  private func part(_ stage: Stage) async -> PixelRectangle? {
    await stage.picturesCome()
    return stage.screen(80, 24).wants.last { $0.part != nil }?.part
  }

  @Test func `the footer offers to move in an enlarged picture, and a retry only after a failure`()
    async throws
  {
    let stage = try await stage()
    let whole = stage.lines(120, 24, .english)[23]
    stage.press("+")
    await stage.picturesCome()

    let enlarged = stage.lines(120, 24, .english)[23]

    #expect(whole.hasPrefix(" Esc Back  ← → Photos") && !whole.contains("Retry"))
    #expect(enlarged.hasPrefix(" Esc Back  ← → ↑ ↓ Move"))
  }

  @Test(arguments: [CellSize(columns: 80, rows: 22), CellSize(columns: 200, rows: 90)])
  func `whatever cells a picture covers, the rows around its area stay`(covered: CellSize)
    async throws
  {
    let stage = try await stage(of: Paint(covered: covered))

    let lines = stage.lines(80, 24, .english)

    #expect(lines[0].hasPrefix(" OpenMarket  로드 자전거"))
    expect(lines[22], " ● ○ ○ ○  1/4")
    #expect(lines[23].hasPrefix(" Esc Back"))
  }

  @Test func `it says what it shows, and which of how many`() async throws {
    let stage = try await stage()
    stage.press(.right)

    let lines = stage.lines(80, 24, .english)

    #expect(lines[0].hasPrefix(" OpenMarket  로드 자전거"))
    expect(lines[22], " ○ ● ○ ○  2/4")
    #expect(lines[23].contains("+ Zoom in"))
    #expect(!lines[23].contains("Zoom out"))
  }

  @Test func `the picture is enlarged up to its own pixels and moved by arrows`() async throws {
    let stage = try await stage()

    stage.press("+", "+", "=", "+", "+", "+", "+")
    let lines = stage.lines(80, 24)
    #expect(lines[22].hasSuffix("100%"))
    #expect(!lines[23].contains("+ 확대"))
    await expect(part(stage), PixelRectangle(columns: 160..<480, rows: 156..<324))
    stage.press(.right, "j")
    await expect(part(stage), PixelRectangle(columns: 240..<560, rows: 198..<366))
    expect(stage.browser.detail.pictureIndex, 0)
    stage.press("0", .right)

    expect(stage.browser.detail.pictureIndex, 1)
    expect(stage.lines(80, 24)[22], " ○ ● ○ ○  2/4")
  }

  @Test func `a step out shows more, and at last all of it`() async throws {
    let stage = try await stage()
    stage.press("+", "+")

    stage.press("-")
    #expect(stage.lines(80, 24)[22].hasSuffix("52%"))
    stage.press("-", .left)

    expect(stage.lines(80, 24)[22], " ● ○ ○ ○  1/4")
  }

  @Test func `where pictures are words nothing is enlarged`() async throws {
    let stage = try await stage()

    stage.screen(80, 24, pictures: .none).handle(.key("+"))

    #expect(!stage.lines(80, 24, pictures: .none)[23].contains("+ 확대"))
    expect(stage.lines(80, 24)[22], " ● ○ ○ ○  1/4")
  }

  @Test func `p plays the pictures until any key, and Esc then leaves nothing`() async throws {
    let stage = try await stage()

    stage.press("p")
    #expect(stage.lines(80, 24)[22].contains("아무 키나"))
    try await stage.clock.sleeps(of: PictureModel.playingTime).next().answer(())
    await until { stage.browser.detail.pictureIndex == 1 }
    stage.press(.escape)
    expect(stage.lines(80, 24)[22], " ○ ● ○ ○  2/4")
    #expect(stage.top is PictureModel)
    stage.press(.escape)

    #expect(stage.top === stage.browser.detail)
  }

  @Test func `the wheel turns a whole picture and moves an enlarged one`() async throws {
    let stage = try await stage()
    let wheel = InputEvent.mouse(MouseEvent(.wheelDown, at: CellPoint(column: 9, row: 9)))

    stage.screen(80, 24).handle(wheel)
    expect(stage.browser.detail.pictureIndex, 1)
    await stage.picturesCome()
    stage.press("+", "+", "+", "+", "+", "+")
    stage.screen(80, 24).handle(wheel)

    await expect(part(stage)?.rows, 198..<366)
    expect(stage.browser.detail.pictureIndex, 1)
  }

  @Test(arguments: everyWidth)
  func `every width and height is drawn`(width: Int) async throws {
    let stage = try await stage(pictures: 30)

    for rows in 6...30 {
      stage.press("+", .down, "+", columns: width, rows: rows)
      expect(stage.lines(width, rows).count, rows)
    }
  }
}

extension Picture {
  static func numbered(_ number: Int) -> Picture {
    Picture(original: "\(number)", thumbnail: "\(number)")
  }
}

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

/// The menu of what can be done with a product.
struct ActionsViewTests {
  private func opened(description: String = "", pictures: [Picture] = []) async throws -> Stage {
    let stage = Stage(.list, sells: true)
    try await stage.show(Product.samples([2, 1]))
    stage.press(.enter)
    try await stage.repository.details.next().answer(
      .sample(of: .sample(id: 2), description: description, pictures: pictures))
    await until { !stage.browser.detail.spinner.isShown && stage.browser.detail.paragraphs != [] }
    return stage
  }

  @Test func `it offers what the screen below does with a product, with its keys`() async throws {
    let stage = try await opened(pictures: [Picture(original: "1", thumbnail: "1")])

    stage.press("x")
    let menu = stage.lines(80, 24, .english).joined(separator: "\n")

    for line in [
      "1   Save photo           S │", "3   Copy as text         y │",
      "4   Copy its address     Y │", "5   QR code              # │",
      "6   Show seller          s │", "7   Ask                  a │",
      "8   Questions            Q │", "9   Add favorite         * │",
      "    Reserve              z │",
      "    Sold                 Z │", "    Edit                 e │",
      "    Sell a similar one   c │", "    Delete               D │",
    ] {
      #expect(menu.contains(line))
    }
    #expect(!menu.contains("My products"))
  }

  @Test func `what needs a picture is not offered without one`() async throws {
    let stage = try await opened()

    stage.press("x")

    #expect(!stage.lines(80, 24, .english).joined().contains("Save photo"))
  }

  @Test func `an address of the text is shown in full before it is opened`() async throws {
    let address = "https://a.example/a/long/way/to/somewhere/else"
    let stage = try await opened(description: "See \(address), please")
    let program = FakeProgram()
    stage.navigator.program.delegate = program

    stage.press("x", .end, .enter)
    await stage.settle()
    let question = stage.lines(80, 24, .english).joined(separator: "\n")
    let isAsked = program.openedLinks.isEmpty
    stage.press("y")
    await stage.settle()

    #expect(question.contains(address))
    #expect(isAsked && program.openedLinks == [address])
    #expect(stage.top === stage.browser.detail)
  }

  @Test(arguments: ["n", .escape] as [KeyPress])
  func `an address is not opened where that is not wanted`(key: KeyPress) async throws {
    let stage = try await opened(description: "https://a.example")
    let program = FakeProgram()
    stage.navigator.program.delegate = program

    stage.press("x", .end, .enter)
    await stage.settle()
    stage.press(key)
    await stage.settle()

    #expect(program.openedLinks.isEmpty && program.copiedTexts.isEmpty)
    #expect(stage.top === stage.browser.detail && program.openedLinks.isEmpty)
  }

  @Test func `an address of this market opens its product`() async throws {
    let stage = Stage(.list, sells: true, marketAddress: "https://home.example/market")
    try await stage.show(Product.samples([2, 1]))
    let program = FakeProgram()
    stage.navigator.program.delegate = program
    stage.press(.enter)
    try await stage.repository.details.next().answer(
      .sample(of: .sample(id: 2), description: "Like https://home.example/market/products/12"))
    await until { stage.browser.detail.paragraphs != [] }

    stage.press("x", .end, .enter)
    await stage.settle()
    try await stage.repository.details.next().answer(.sample(of: .sample(id: 12)))
    await until { stage.browser.detail.product?.id.rawValue == 12 }

    #expect(stage.top === stage.browser.detail && program.openedLinks.isEmpty)
  }

  @Test func `over ssh an address is copied, for nobody could open it`() async throws {
    let stage = try await opened(description: "https://a.example")
    let program = FakeProgram()
    program.opensLinks = false
    stage.navigator.program.delegate = program

    stage.press("x", .end, .enter)
    await stage.settle()

    #expect(program.copiedTexts == ["https://a.example"] && program.openedLinks.isEmpty)
    #expect(stage.top === stage.browser.detail && program.openedLinks.isEmpty)
  }

  @Test func `a right click selects what is under it and opens the menu`() async throws {
    let stage = Stage(.list, sells: true)
    try await stage.show(Product.samples([2, 1]))
    _ = stage.lines(80, 24)

    stage.click(5, 2, by: .right)

    expect(stage.browser.selected?.id, Product.ID(rawValue: 1))
    #expect(stage.top is MenuModel)
  }

  @Test func `a right click drops the menu at the mouse, above it where below is no room`()
    async throws
  {
    let stage = Stage(.list, sells: true)
    try await stage.show(Product.samples((1...20).reversed()))
    _ = stage.lines(80, 24)

    stage.click(30, 2, by: .right)
    let below = stage.lines(80, 24)
    stage.press(.escape)
    await stage.settle()
    stage.click(70, 19, by: .right)
    let above = stage.lines(80, 24)

    expect(below[3].columns(before: "╭"), 30)
    #expect(above[18].hasSuffix("╯") && above[18].columns(before: "╯") == 78)
  }

  @Test func `the menu stays in sight in a window that becomes smaller`() async throws {
    let stage = Stage(.list, sells: true)
    try await stage.show(Product.samples((1...60).reversed()))
    _ = stage.lines(80, 50)

    stage.click(30, 45, by: .right, columns: 80, rows: 50)
    let menu = stage.lines(60, 20)

    #expect(menu[18].contains("╯"))
  }

  @Test func `a key drops the menu from the row of the selected product`() async throws {
    let stage = Stage(.list, sells: true)
    try await stage.show(Product.samples((1...20).reversed()))
    stage.browser.list.select(4)

    stage.press("x")

    #expect(stage.lines(80, 24)[6].hasPrefix("  ╭"))
  }

  @Test func `a key drops the menu from the selected card`() async throws {
    let stage = Stage(.grid, sells: true)
    try await stage.show(Product.samples((1...6).reversed()))
    _ = stage.lines(80, 30)
    stage.browser.list.select(1)

    stage.press("x", columns: 80, rows: 30)

    let menu = stage.lines(80, 30)
    #expect(menu.contains { $0.columns(before: "╭") == 28 })
    #expect(!menu[2].contains("╭"))
  }

  @Test func `in a list the text is read for its addresses`() async throws {
    let stage = Stage(.grid, sells: true)
    try await stage.show(Product.samples([2, 1]))

    stage.press("x")
    try await stage.repository.details.next().answer(
      .sample(of: .sample(id: 2), description: "See https://a.example"))
    await until { (stage.top as? MenuModel)?.sections.first?.items.isEmpty == false }

    #expect(stage.lines(80, 24, .english).contains { $0.contains("https://a.example") })
  }

  @Test func `a low window scrolls to the end of a question`() async throws {
    let address = "https://a.example/" + String(repeating: "way/", count: 60) + "end"
    let stage = try await opened(description: address)
    let program = FakeProgram()
    stage.navigator.program.delegate = program

    stage.press("x", .end, .enter)
    await stage.settle()
    let start = stage.lines(60, 10).joined()
    for _ in 0..<10 { stage.press(.down, columns: 60, rows: 10) }

    #expect(!start.contains("열까요") && start.contains("▾"))
    #expect(stage.lines(60, 10).joined().contains("열까요?"))
    #expect(program.openedLinks.isEmpty)
  }
}

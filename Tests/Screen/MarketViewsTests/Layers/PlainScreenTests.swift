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

/// Screens for screen readers and braille lines.
struct PlainScreenTests {
  private func canvas(
    _ stage: Stage, columns: Int = 80, rows: Int = 24,
    _ change: (inout RenderContext) -> Void = { $0.isPlain = true }
  ) -> Canvas {
    var context = stage.screen(columns, rows, .english, pictures: .none).context
    context.theme = Theme(.dark, scheme: .plain, strikesThrough: false)
    context.showsCursor = true
    change(&context)
    let window = Window(
      navigator: stage.navigator, size: CellSize(columns: columns, rows: rows), context: context)
    window.layOut()
    return window.draw()
  }

  @Test(arguments: PictureScreen.allCases)
  func `nothing but text is drawn, and the cursor is shown`(screen: PictureScreen) async throws {
    let canvas = canvas(try await screen.market(in: .english, PictureScreen.sizes[0]).stage)

    let marks = "─│━┃╭╮╰╯┏┓┗┛╌▌█▀░▒▓"
    #expect(!canvas.lines.joined().contains(where: marks.contains))
    #expect(canvas.cells.allSatisfy { $0.style == .plain })
    expect(canvas.cursor?.isVisible, true)
  }

  @Test(arguments: [SellingScreen.photoPath, .picker, .choices, .deletion, .sending, .conflict])
  func `the cursor is in the box that is open, not in what it covers`(
    screen: SellingScreen
  ) async throws {
    let canvas = canvas(try await screen.stage()) { $0.isPlain = false }

    let corner = canvas.lines.firstIndex { $0.contains("╭") } ?? 99
    let end = canvas.lines.lastIndex { $0.contains("╯") } ?? 0
    #expect((corner...max(corner, end)).contains(canvas.cursor?.point.row ?? -1))
  }

  @Test(arguments: [80, 120, 240], [Screen.grid, .list])
  func `products are one list at any width`(columns: Int, screen: Screen) async throws {
    let stage = try await screen.stage()

    let lines = canvas(stage, columns: columns).lines

    #expect(lines[2].hasPrefix("> ") && lines[3].hasPrefix("  "))
    expect(lines.count { $0.contains(stage.browser.selected?.name.string ?? "?") }, 1)
  }

  @Test func `a step changes two marks and the cursor`() async throws {
    let stage = try await Screen.list.stage()
    let before = canvas(stage)

    stage.press("j")
    let after = canvas(stage)

    let changed = before.cells.indices.filter { before.cells[$0] != after.cells[$0] }
    expect(changed, [160, 240])
    expect(before.cursor?.point, CellPoint(column: 0, row: 2))
    expect(after.cursor?.point, CellPoint(column: 0, row: 3))
  }

  @Test func `title, state, list and help are read in this order, and news stand in one line`()
    async throws
  {
    let stage = try await Screen.list.stage()
    let before = canvas(stage).lines

    expect(before[0].trimmed, "OpenMarket  Local market")
    expect(before[1].trimmed, "2 products · Newest ▾")
    #expect(before[2].hasPrefix("> ") && before[23].contains("? Help"))
    stage.type([.key("u")], .english)
    let after = canvas(stage).lines

    expect(after[1].trimmed, "Undo last edit: There is no edit to undo")
    expect(after[0], before[0])
    expect(Array(after[2...]), Array(before[2...]))
    stage.press(.enter)
    expect(canvas(stage).lines[1].trimmed, "1/2 · #1")
  }

  @Test(arguments: [Screen.menu, .pictureMenu, .help])
  func `a dialog covers what is below it`(screen: Screen) async throws {
    let stage = try await screen.stage()
    let product = stage.browser.selected?.name.string ?? "?"

    let canvas = canvas(stage)

    #expect(!canvas.lines.joined().contains(product))
    let row = canvas.cursor?.point.row ?? 0
    #expect(canvas.lines[row].contains("> "))
  }

  @Test func `nothing moves while an answer is waited for`() async throws {
    let stage = Stage(.list)
    stage.browser.start()
    let before = canvas(stage)

    try await stage.clock.sleeps(of: .milliseconds(150)).next().answer(())
    await until { stage.browser.spinner.isShown }

    #expect(before.lines[2].contains("Loading"))
    expect(canvas(stage), before)
  }

  @Test func `the arrangement cannot be changed, and all else has its keys`() async throws {
    let stage = try await Screen.list.stage()
    let usual = stage.screen(80, 24)
    var context = usual.context
    context.isPlain = true

    let plain = Window(navigator: stage.navigator, size: usual.size, context: context)

    expect(Set(usual.rows.map(\.name)).subtracting(plain.rows.map(\.name)), ["toggle-view"])
  }

  @Test(arguments: Screen.allCases)
  func `the cursor can be shown on usual screens as well`(screen: Screen) async throws {
    let stage = try await screen.stage()
    let hidden = canvas(stage) {
      $0.isPlain = false
      $0.showsCursor = false
    }

    let shown = canvas(stage) { $0.isPlain = false }

    expect(shown.cursor?.isVisible, true)
    expect(shown.lines, hidden.lines)
    if ![.help, .palette].contains(screen), let position = hidden.cursor?.point {
      expect(shown.cursor?.point, position)
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(String(drop { $0 == " " }).reversed().drop { $0 == " " }.reversed())
  }
}

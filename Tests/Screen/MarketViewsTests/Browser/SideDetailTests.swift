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

/// The detail beside the list, and the divider between them.
struct SideDetailTests {
  private final class Redraw {
    var isDue = false
  }

  /// A list with the detail of its first product beside it, which has three pictures and a long text.
  private func stage() async throws -> Stage {
    let stage = Stage(.list, sells: true)
    let products = Product.samples((1...90).reversed())
    try await stage.show(products)
    _ = stage.lines(120, 30)
    try await stage.repository.details.next().answer(
      .sample(
        of: products[0], description: (1...60).map { "line \($0)" }.joined(separator: "\n"),
        pictures: (1...3).map { Picture(original: "\($0)", thumbnail: "\($0)") }))
    await until { if case .loaded = stage.browser.detail.phase { true } else { false } }
    return stage
  }

  private func press(_ stage: Stage, _ keys: KeyPress...) {
    for key in keys { stage.press(key, columns: 120, rows: 30) }
  }

  private func mouse(_ stage: Stage, _ action: MouseEvent.Action, _ column: Int, _ row: Int) {
    let event = MouseEvent(action, at: CellPoint(column: column, row: row))
    stage.screen(120, 30).handle(.mouse(event))
  }

  private func divider(_ stage: Stage) -> Int? { stage.screen(120, 30).layout?.divider?.minColumn }

  @Test(arguments: [(KeyPress.right, KeyPress.left), ("l", "h")])
  func `the arrows turn its pictures`(next: KeyPress, previous: KeyPress) async throws {
    let stage = try await stage()

    press(stage, next, next, next)
    expect(stage.browser.detail.pictureIndex, 2)
    press(stage, previous)

    expect(stage.browser.detail.pictureIndex, 1)
    expect(stage.browser.viewport.selected, 0)
  }

  @Test func `where no detail stands beside the list the arrows do nothing`() async throws {
    let stage = try await stage()

    stage.press("l", .right, "l", columns: 119, rows: 30)

    expect(stage.browser.detail.pictureIndex, 0)
    expect(stage.browser.viewport.selected, 0)
  }

  @Test func `its text scrolls by lines, and the list stays`() async throws {
    let stage = try await stage()

    press(stage, .control("e"), .control("e"), .control("e"), .control("y"))
    expect(stage.browser.detail.scrolledLines, 2)
    press(stage, "5", .control("e"))

    expect(stage.browser.detail.scrolledLines, 7)
    expect(stage.browser.viewport.topRow, 0)
  }

  @Test func `the wheel scrolls what it is over`() async throws {
    let stage = try await stage()

    mouse(stage, .wheelDown, 100, 20)
    #expect(stage.browser.detail.scrolledLines > 0)
    expect(stage.browser.viewport.topRow, 0)
    let lines = stage.browser.detail.scrolledLines
    mouse(stage, .wheelDown, 10, 20)

    expect(stage.browser.viewport.topRow, 3)
    expect(stage.browser.detail.scrolledLines, lines)
  }

  @Test(arguments: Language.allCases)
  func `the footer says how to turn its pictures`(language: Language) async throws {
    let stage = try await stage()

    let wide = stage.lines(159, 30, language)[29]
    let narrow = stage.lines(119, 30, language)[29]

    #expect(wide.contains("←") && wide.contains("→"))
    #expect(!narrow.contains("←"))
  }

  @Test func `the divider moves by keys, with counts, and not out of its bounds`() async throws {
    let stage = try await stage()
    expect(divider(stage), 67)

    press(stage, "<", "<", ">")
    expect(divider(stage), 65)
    press(stage, "5", ">")
    expect(divider(stage), 75)
    press(stage, "9", "9", ">")

    expect(divider(stage), 81)
    #expect(stage.browser.viewStates.viewState.listWidthFraction != nil)
  }

  @Test func `the divider follows the mouse while that holds it`() async throws {
    let stage = try await stage()

    mouse(stage, .drag, 60, 9)
    expect(divider(stage), 67)
    mouse(stage, .press, 68, 9)
    mouse(stage, .drag, 60, 9)
    expect(divider(stage), 60)
    mouse(stage, .drag, 3, 0)
    mouse(stage, .release, 3, 0)
    mouse(stage, .drag, 70, 9)

    expect(divider(stage), 49)
    expect(stage.browser.viewport.selected, 0)
  }

  @Test func `a divider that a dialog has covered is let go of all the same`() async throws {
    let stage = try await stage()

    mouse(stage, .press, 67, 9)
    press(stage, "?")
    mouse(stage, .release, 67, 9)

    #expect(!stage.browser.viewStates.holdsDivider)
  }

  @Test func `a step beyond the edge scrolls less often beside a detail`() async throws {
    let stage = try await stage()
    press(stage, .pageDown, .pageUp)

    for _ in 0..<27 { press(stage, "j") }

    expect(stage.browser.viewport.selected, 27)
    expect(stage.browser.viewport.topRow, 3)
  }

  @Test func `it is the same with and without what was drawn before`() async throws {
    let stage = try await stage()
    let keys: [KeyPress] = [
      "l", "h", .control("e"), .control("y"), "j", "k", "*", "<", ">", "?", .escape,
    ]
    var random = SeededRandom(seed: 23)
    var kept = stage.screen(130, 30, pictures: .none).context
    var columns = 130

    for _ in 0..<200 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: kept.strings = Strings(Bool.random(using: &random) ? .korean : .english)
      case 1: kept.theme = Theme(Bool.random(using: &random) ? .dark : .light, strikesThrough: true)
      case 2: kept.now = Timestamp(seconds: kept.now.seconds + 3_600)
      case 3: kept.pictures = Bool.random(using: &random) ? .none : .cells(.half)
      case 4: columns = .random(in: 118...150, using: &random)
      case 5:
        stage.browser.didChange(.sample(of: .sample(id: 90, price: .random(in: 1...99))))
      default:
        let window = Window(
          navigator: stage.navigator, size: CellSize(columns: columns, rows: 30), context: kept)
        window.handle(.key(keys.randomElement(using: &random) ?? "l"))
      }
      let fresh = stage.screen(
        columns, 30, kept.strings.language, pictures: kept.pictures, theme: kept.theme)
      var context = fresh.context
      context.now = kept.now
      let windows = [kept, context].map {
        Window(
          navigator: stage.navigator, size: CellSize(columns: columns, rows: 30), context: $0)
      }
      expect(windows[0].draw(), windows[1].draw())
    }
  }

  @Test func `a frame that puts it again is drawn anew where it changes`() async throws {
    let stage = try await stage()
    let window = stage.screen(120, 30, pictures: .none)
    _ = window.draw()
    let redraw = Redraw()

    let before = observing {
      window.draw()
    } onChange: {
      MainActor.assumeIsolated { redraw.isDue = true }
    }
    stage.browser.detail.scroll(by: 1, limit: 10)

    #expect(redraw.isDue && window.draw() != before)
  }
}

import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// Two products in two columns.
struct SideBySideViewTests {
  private static let products: [Product] = {
    var products = [
      Product.sample(id: 8, name: "Road bike", price: 240_000, discount: 60_000, stock: 1),
      Product.sample(id: 7, name: "City bike", price: 90_000, stock: 1),
      Product.sample(id: 6, name: "Helmet", price: 30_000),
    ]
    (products[0].category, products[1].category) = (.sports, .sports)
    (products[0].condition, products[1].condition) = (.good, .fair)
    products[0].place = "Seoul, Mapo"
    return products
  }()

  private func stage(pictures: Bool = false) async throws -> Stage {
    let stage = Stage()
    try await stage.show(
      Self.products.map { product in
        var product = product
        if pictures { product.thumbnail = Picture(original: product.name, thumbnail: product.name) }
        return product
      })
    return stage
  }

  private func answer(_ stage: Stage) async throws {
    for _ in 0..<2 {
      let call = try await stage.repository.details.next()
      let product = try #require(Self.products.first { $0.id == call.request })
      call.answer(.sample(of: product, description: "All about the \(product.name)."))
    }
    let model = try #require(stage.top as? SideBySideModel)
    await until { model.sides.allSatisfy { $0.detail != nil } }
  }

  @Test func `a remembered product says so in its row and in the footer`() async throws {
    let stage = try await stage()

    stage.press("&")
    let notice = stage.lines(120, 36, .english).last ?? ""
    stage.press("j")
    let lines = stage.lines(120, 36, .english)

    #expect(notice.contains("press & on another product"))
    #expect(lines[1].hasPrefix(" &Road bike"))
    #expect(lines.last?.contains("& Compare side by side") == true)
    stage.press("k")
    #expect(stage.lines(120, 36, .english).last?.contains("& Stop comparing") == true)
    stage.press("&")
    #expect(!stage.lines(120, 36, .english).joined().contains("&"))
  }

  @Test func `what differs is bold, and what one lacks is a dash`() async throws {
    let stage = try await stage()
    stage.press("&", "j", "&")
    try await answer(stage)

    let window = stage.screen(80, 24, .english, pictures: .none)
    let lines = stage.lines(80, 24, .english, pictures: .none)
    let canvas = window.draw()

    expect(
      Array(lines[1...9]),
      [
        " Road bike                               City bike",
        " ₩180,000 ₩240,000 25%                   ₩90,000",
        " Category   Sports                       Category   Sports",
        " Condition  Good                         Condition  Fair",
        " Place      Seoul, Mapo                  Place      –",
        " Stock      1 left                       Stock      1 left",
        " Seller     guest                        Seller     guest",
        " Listed     23 hours ago                 Listed     23 hours ago",
        " " + String(repeating: "─", count: 37) + "   " + String(repeating: "─", count: 38),
      ])
    #expect(lines[10].contains(" All about the Road bike.") && lines[10].contains("City bike."))
    let theme = window.context.theme
    let styles = [3, 4, 5].map { canvas[CellPoint(column: 52, row: $0)].style }
    expect(styles, [theme.text, theme.strong, theme.secondary])
  }

  @Test func `going back forgets the remembered product`() async throws {
    let stage = try await stage()
    stage.press("&", "j", "&")
    try await answer(stage)

    stage.press(.escape)

    #expect(stage.top is BrowserModel)
    expect(stage.navigator.sideBySideStep, .remember)
    #expect(!stage.lines(80, 24, .english)[1].contains("&"))
  }

  @Test func `both pictures are loaded at once, and a failure says why in its column`() async throws
  {
    let stage = try await stage(pictures: true)
    stage.press("&", "j", "&")
    for _ in 0..<2 {
      let call = try await stage.repository.details.next()
      if call.request == Self.products[0].id {
        call.fail(.notFound)
      } else {
        call.answer(.sample(of: Self.products[1]))
      }
    }

    let model = try #require(stage.top as? SideBySideModel)
    await until { model.sides[0].error != nil && model.sides[1].detail != nil }

    let pictures = stage.screen(160, 45, .english).wants.map(\.picture.original)
    #expect(pictures.first == "Road bike")
    let screen = stage.lines(160, 45, .english).joined(separator: "\n")
    #expect(screen.contains("✗ ") && screen.contains("As good as new."))
  }

  @Test func `the menu of actions has it`() async throws {
    let stage = try await stage()

    stage.press("x")

    #expect(
      stage.lines(80, 24, .english).contains { $0.contains("Compare with…") })
  }

  @Test(arguments: everyWidth, Language.allCases)
  func `the columns fit every window`(width: Int, language: Language) async throws {
    let stage = try await stage()
    stage.press("&", "j", "&")
    try await answer(stage)

    for rows in [8, 12, 60] {
      #expect(stage.lines(width, rows, language).count == rows)
    }
    #expect(stage.lines(width, 24, language)[1...].joined().contains("Road"))
  }
}

import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// What a list says whose market is sifted.
struct ClientFilteredListTests {
  /// A market of which rows 1,000 to 901 are shown for a filter that keeps `finds`.
  private func stage(
    finding finds: Set<Int64>, next: PagePosition? = .number(2), _ query: ProductQuery? = nil,
    total: ProductTotal = .exactly(5_000)
  ) async throws -> Stage {
    var capabilities = RepositoryCapabilities.full
    (capabilities.orders, capabilities.parts) = ([.newest], [])
    capabilities.scannable = [.price, .inStock, .phrases]
    let stage = Stage(repository: GatedProductRepository(capabilities: capabilities))
    try await stage.show(Product.samples([1]))
    stage.browser.show(query ?? ProductQuery(filters: [.inStock]))
    try await stage.repository.pages.next().answer(
      ProductPage(
        products: (901...1_000).reversed().map {
          .sample(id: $0, stock: finds.contains($0) ? 1 : 0)
        },
        total: total, next: next))
    await until { !stage.browser.feed.isStale }
    return stage
  }

  @Test func `while it goes on the end of the list says how far it is, and the key that stops it`()
    async throws
  {
    let stage = try await stage(finding: [950])

    #expect(
      stage.lines(60, 12, .english).contains { $0.contains("100 of 5,000 checked, 1 found") })
    #expect(stage.lines(60, 12).contains { $0.contains("5,000개 중 100개 확인, 1개 찾음") })
    #expect(stage.lines(80, 12, .english)[11].contains("Esc Stop searching"))
    #expect(!stage.lines(60, 12, .english).contains { $0.contains("╌") })
  }

  @Test func `Esc stops it and keeps what was found, R goes on`() async throws {
    let stage = try await stage(finding: [950])
    let second = try await stage.repository.pages.next()

    stage.press(.escape)
    await until { second.isCancelled }
    let stopped = stage.lines(80, 12, .english)

    #expect(stopped.contains { $0.contains("Stopped: 100 of 5,000 checked, 1 found") })
    #expect(stopped.contains { $0.contains("Product 950") })
    #expect(stopped[11].contains("R Continue search") && !stopped[11].contains("Stop searching"))
    stage.press("R")
    try await expect(stage.repository.pages.next().request.position, .number(2))
  }

  @Test func `once it has stopped Esc shows all products again`() async throws {
    let stage = try await stage(finding: [950])
    stage.press(.escape)

    stage.press(.escape)
    await until { stage.browser.feed.query == ProductQuery() }
  }

  @Test func `where nothing is found yet that stands in the middle`() async throws {
    let stage = try await stage(finding: [])

    let lines = stage.lines(60, 14, .english)
    #expect(lines.contains { $0.contains("100 of 5,000 checked, 0 found") })
    #expect(lines.contains { $0.contains("Esc Stop searching") })
    stage.press(.escape)
    let stopped = stage.lines(60, 14, .english)

    #expect(stopped.contains { $0.contains("Stopped: 100 of 5,000 checked, 0 found") })
    #expect(stopped.contains { $0.contains("R Continue search") && $0.contains("Esc show all") })
  }

  @Test func `at the end it says what was looked at, also where nothing was found`() async throws {
    let some = try await stage(finding: [950], next: nil)
    let none = try await stage(finding: [], next: nil)

    #expect(some.lines(60, 14, .english).contains { $0.contains("End of list") })
    for stage in [some, none] {
      #expect(stage.lines(60, 14, .english).contains { $0.contains("100 of 5,000 checked, ") })
    }
  }

  @Test func `that only names are looked into is said where texts are looked for`() async throws {
    let stage = try await stage(finding: [], ProductQuery(phrases: ["Product 950"]))
    let filtered = try await self.stage(finding: [950])
    let note = "Descriptions are not searched on this server"

    #expect(stage.lines(60, 12, .english).contains { $0.contains(note) })
    #expect(!filtered.lines(60, 12, .english).contains { $0.contains(note) })
  }

  @Test(arguments: [ProductTotal.unknown, .exactly(7)])
  func `a market that does not say how much it has, or lies, is told by what was looked at`(
    total: ProductTotal
  ) async throws {
    let stage = try await stage(finding: [950], total: total)

    #expect(stage.lines(60, 12, .english).contains { $0.contains(" 100 checked, 1 found") })
  }

  @Test(arguments: everyWidth, [1, 3, 12])
  func `no window is too small for it`(width: Int, rows: Int) async throws {
    let stage = try await stage(finding: [950])

    _ = stage.lines(width, rows)
    stage.press(.escape, columns: width, rows: rows)
    _ = stage.lines(width, rows)
  }
}

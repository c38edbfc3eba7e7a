import MarketClient
import MarketModel
import TerminalTestSupport

extension Section {
  /// Pages from a local server to values, beside URLSession with JSONDecoder.
  static var fetching: Section {
    Section(
      name: "pages by a client", subjects: ["market", "URLSession"],
      benchmarks: [
        Benchmark([
          Figure("page of 20, one after the other", .milliseconds, .atMost(0.5, of: "URLSession"))
            .pictured,
          Figure("page of 20, 8 at once", .milliseconds, .atMost(0.2, of: "URLSession")).pictured,
        ]) { bench in [try await fetch(1, bench), try await fetch(8, bench)] }
      ])
  }

  private static let pageCount = 2_000

  /// Milliseconds a page, the better of three rounds in turns.
  private static func fetch(
    _ concurrency: Int, _ bench: Bench
  ) async throws -> [String: Double] {
    let market = try bench.requiredMarket()
    let server = try market.server(on: market.generated(1_000))
    var values: [String: [Double]] = [:]
    for _ in 0..<3 {
      values["market", default: []].append(try await ours(server.address, concurrency))
      guard bench.comparesOthers else { continue }
      values["URLSession", default: []].append(try session(server.address, concurrency, market))
    }
    return values.compactMapValues { $0.min() }
  }

  private static func ours(_ address: String, _ concurrency: Int) async throws -> Double {
    guard let base = WebAddress(address) else { throw BenchError.noAnswer(address) }
    let repository = HTTPProductRepository(
      over: ServerConnection(to: base, over: CurlTransport()))
    for _ in 0..<20 { try await get(repository) }
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<concurrency {
        group.addTask { for _ in 0..<pageCount / concurrency { try await get(repository) } }
      }
      try await group.waitForAll()
    }
    return start.duration(to: .now).milliseconds / Double(pageCount)
  }

  private static func get(_ repository: HTTPProductRepository) async throws {
    guard try await !repository.page(PageRequest()).products.isEmpty else {
      throw BenchError.noAnswer("a page")
    }
  }

  private static func session(
    _ address: String, _ concurrency: Int, _ market: Market
  ) throws -> Double {
    let run = try PipedRun(
      [
        market.beside("URLSessionBaseline"), address + "/api/products?page_no=1&items_per_page=20",
        String(pageCount), String(concurrency),
      ], environment: Tool.environment)
    guard run.exit == .exited(status: 0), let time = Double(run.output.prefix { $0 != "\n" })
    else { throw BenchError.preparationFailed("URLSessionBaseline: " + run.errors) }
    return time
  }
}

import MarketModel
import MarketStore
import PictureKit
import PostgresStore
import PostgresTestSupport
import SafeTextKit
import StoreCore
import TerminalTestSupport

extension Section {
  /// The same server over PostgreSQL, a throw-away cluster without fsync, beside SQLite.
  static var postgres: Section {
    Section(
      name: "on PostgreSQL", subjects: ["market", "on SQLite"],
      benchmarks: Size.all.filter { $0 != .million }.map(rows))
  }

  /// A million products take it some minutes to fill, so they are measured when asked for.
  static var largePostgres: Section {
    Section(
      name: "on PostgreSQL, 1,000,000", subjects: ["market", "on SQLite"],
      benchmarks: [rows(.million)], isLong: true)
  }

  private static func rows(_ size: Size) -> Benchmark {
    Benchmark([
      Figure("page, \(size.text)", .milliseconds),
      Figure("detail, \(size.text)", .milliseconds),
      Figure("search, \(size.text)", .milliseconds),
      Figure("registrations, \(size.text)", .perSecond),
      Figure("a remembered page, \(size.text)", .perSecond, .atLeast(12_000)),
      Figure("three servers / one, \(size.text)", .times, .atLeast(0.9)).pictured,
    ]) { bench in try await measure(size, bench) }
  }

  private static func measure(_ size: Size, _ bench: Bench) async throws -> [[String: Double]] {
    guard TestCluster.isPossible else { throw BenchError.preparationFailed(TestCluster.hint) }
    let market = try bench.requiredMarket()
    let cluster = try TestCluster()
    defer { withExtendedLifetime(cluster) {} }
    let address = try cluster.emptySchema()
    let store = try await PostgresMarketStore.open(
      at: address, pictureProcessor: UploadPreparer(),
      options: PostgresMarketStore.Options(
        makeFile: { path throws(RepositoryError) in
          try await SQLiteStore.open(
            at: path, pictureProcessor: UploadPreparer(),
            options: SQLiteStore.Options(createsFile: true))
        },
        passwordCost: .least))
    let hash = try await PasswordHasher(cost: .least).hash(Password("bench"))
    try await store.generate(size.count, pictures: [], passwordHash: hash) { _ in }
    var rows = try medians(
      FreshServer(market.server(on: address)),
      FreshServer(market.server(on: market.generated(size.count))),
      size)
    rows.append(["market": try await registrationsPerSecond(400, in: store)])
    let (one, share) = try share(of: address, market)
    rows += [["market": one], ["market": share]]
    return rows
  }

  /// Pages, details and searches that were not asked for before.
  private static func medians(
    _ database: FreshServer, _ file: FreshServer, _ size: Size
  ) throws -> [[String: Double]] {
    let paths = [
      (0..<50).map { database.page(1 + $0 * size.count / 1_000) },
      (1...200).map { database.detail($0 * size.count / 200) },
      FreshServer.searches.map(database.search),
    ]
    return paths.map { paths in
      let times = [("market", database), ("on SQLite", file)].compactMap { name, server in
        (try? server.times(paths))?.median.map { (name, $0) }
      }
      return Dictionary(uniqueKeysWithValues: times)
    }
  }

  /// Pages a second that one server answers from memory, and what three servers on one database do over
  /// what one of them does.
  private static func share(
    of address: String, _ market: Market
  ) throws -> (one: Double, share: Double) {
    let servers = try (0..<3).map { _ in try market.server(on: address) }
    defer { withExtendedLifetime(servers) {} }
    let pages = servers.map { $0.address + "/api/products?page_no=1&items_per_page=20" }
    let rounds = try (0..<3).map { _ in
      let one = try Load.perSecond(of: [pages[0]], connections: 15)
      let three = try Load.perSecond(of: pages, connections: 5)
      return (one: one, share: three / one)
    }
    guard let one = rounds.map(\.one).median, let share = rounds.map(\.share).median else {
      throw BenchError.noAnswer("three servers")
    }
    return (one, share)
  }
}

import MarketAPI
import MarketModel
import MarketStore
import PictureKit
import PostgresStore
import PostgresTestSupport
import SafeTextKit
import StoreCore

extension Section {
  private static let subjects = ["in a file", "by a server", "on PostgreSQL"]

  /// First pages of queries of all parts, each asked for once.
  static var finding: Section {
    Section(
      name: "finding", subjects: subjects,
      benchmarks: [pages(of: Size(count: 200_000, text: "200,000"))])
  }

  /// PostgreSQL takes some minutes to fill, so it is measured when asked for.
  static var largeFinding: Section {
    Section(
      name: "finding, 1,000,000", subjects: subjects, benchmarks: [pages(of: .million)],
      isLong: true)
  }

  /// The same of a city's markets, which are filled for an hour and more.
  static var cityFinding: [Section] {
    [
      Size(count: 5_000_000, text: "5,000,000"), Size(count: 10_000_000, text: "10,000,000"),
    ].map { size in
      Section(
        name: "finding, \(size.text)", subjects: [subjects[2]], benchmarks: [cityPages(of: size)],
        isLong: true)
    }
  }

  /// Milliseconds, by whether words are asked for that hardly meet.
  private static func cityPages(of size: Size) -> Benchmark {
    let figures = QueryMix.all.flatMap { mix in
      [
        Figure("\(mix.name), median", .milliseconds, atMost: mix.hardlyMeets ? 500 : 20),
        Figure("\(mix.name), p99", .milliseconds, atMost: mix.hardlyMeets ? 500 : 100),
      ]
    }
    return Benchmark(figures) { bench in
      guard TestCluster.isPossible else { throw BenchError.preparationFailed(TestCluster.hint) }
      let cluster = try TestCluster()
      defer { withExtendedLifetime(cluster) {} }
      let address = try await filled(cluster, size.count)
      let database = try FreshServer(bench.requiredMarket().server(on: address))
      let newest = try await newest(in: opened(address))
      var rows = figures.map { _ in [String: Double]() }
      for (position, mix) in QueryMix.all.enumerated() {
        let paths = try mix.requests(newest: newest).map(path(of:))
        add(try database.times(paths), of: subjects[2], at: position, to: &rows)
      }
      return rows
    }
  }

  private static func pages(of size: Size) -> Benchmark {
    let figures = QueryMix.all.flatMap { mix in
      [
        Figure("\(mix.name), median", .milliseconds, atMost: mix.median),
        Figure("\(mix.name), p99", .milliseconds, atMost: mix.p99),
      ]
    }
    return Benchmark(figures) { bench in
      let market = try bench.requiredMarket()
      let path = try market.generated(size.count)
      let file = try await SQLiteStore.open(
        at: path, pictureProcessor: UploadPreparer(),
        options: SQLiteStore.Options(createsFile: false))
      let server = try FreshServer(size, bench)
      let newest = try await newest(in: file)
      var rows = figures.map { _ in [String: Double]() }
      for (position, mix) in QueryMix.all.enumerated() {
        let requests = mix.requests(newest: newest)
        add(try await times(requests, in: file), of: subjects[0], at: position, to: &rows)
        add(try server.times(requests.map(path(of:))), of: subjects[1], at: position, to: &rows)
      }
      guard TestCluster.isPossible else { return rows }
      let cluster = try TestCluster()
      defer { withExtendedLifetime(cluster) {} }
      let database = try await FreshServer(market.server(on: filled(cluster, size.count)))
      for (position, mix) in QueryMix.all.enumerated() {
        let paths = try mix.requests(newest: newest).map(path(of:))
        add(try database.times(paths), of: subjects[2], at: position, to: &rows)
      }
      return rows
    }
  }

  private static func add(
    _ times: [Double], of subject: String, at position: Int, to rows: inout [[String: Double]]
  ) {
    rows[2 * position][subject] = times.median
    rows[2 * position + 1][subject] = times.quantile(0.99)
  }

  /// Milliseconds of each page, read by the program itself.
  private static func times(
    _ requests: [PageRequest], in file: SQLiteStore
  ) async throws -> [Double] {
    var times: [Double] = []
    for request in requests {
      let start = ContinuousClock.now
      _ = try await file.page(request)
      times.append(start.duration(to: .now).milliseconds)
    }
    return times
  }

  private static func newest(in store: some StoredMarket) async throws -> Timestamp {
    let page = try await store.page(PageRequest(size: 1))
    guard let newest = page.products.first else { throw BenchError.noAnswer("the newest product") }
    return newest.created
  }

  /// What our server is asked for.
  private static func path(of request: PageRequest) throws -> String {
    try ProductsDialect(variant: .y2023).request(for: .page(request)).target.text
  }

  /// The address of a database with so many generated products.
  static func filled(_ cluster: TestCluster, _ count: Int) async throws -> String {
    let address = try cluster.emptySchema()
    let store = try await opened(address)
    let hash = try await PasswordHasher(cost: .least).hash(Password("bench"))
    try await store.generate(count, pictures: [], passwordHash: hash) { _ in }
    return address
  }

  private static func opened(_ address: String) async throws -> PostgresMarketStore {
    try await PostgresMarketStore.open(
      at: address, pictureProcessor: UploadPreparer(),
      options: PostgresMarketStore.Options(
        makeFile: { _ throws(RepositoryError) in throw .unsupported }, passwordCost: .least))
  }
}

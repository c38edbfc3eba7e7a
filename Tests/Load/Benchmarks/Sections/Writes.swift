import MarketModel
import MarketStore
import PictureKit
import PostgresStore
import PostgresTestSupport
import SafeTextKit
import StoreCore
import TerminalTestSupport

extension Section {
  /// What writes cost a market on PostgreSQL, on a throw-away cluster that writes to the disk.
  static var writes: Section {
    Section(
      name: "writes on PostgreSQL", subjects: ["market", "on SQLite"],
      benchmarks: [distance, outside], isLong: true)
  }

  /// A first page after a hundred thousand edits.
  static var edits: Section {
    Section(
      name: "edits beside a snapshot", subjects: ["market"], benchmarks: [snapshot], isLong: true)
  }

  /// Sellers who get another name.
  static var renamings: Section {
    Section(
      name: "renaming", subjects: ["market", "on SQLite"], benchmarks: [renaming], isLong: true)
  }

  /// 24 writers over three servers' connections, with a synchronous standby.
  private static var distance: Benchmark {
    Benchmark([
      Figure("registrations, no standby", .perSecond),
      Figure("registrations, a synchronous standby 2 ms away", .perSecond, .atLeast(1_000)),
      Figure("all with the same picture", .perSecond, .atLeast(1_000)),
    ]) { _ in
      let (cluster, address) = try writtenThrough()
      defer { withExtendedLifetime(cluster) {} }
      var stores: [PostgresMarketStore] = []
      for _ in 0..<3 { stores.append(try await store(at: address)) }
      _ = try await perSecond(300, in: stores)
      let near = try await perSecond(2_000, in: stores)
      try cluster.startReplica()
      let relay = try DatabaseRelay(before: cluster, delayMilliseconds: 1)
      defer { withExtendedLifetime(relay) {} }
      try cluster.commitSynchronously(over: relay, at: address)
      _ = try await perSecond(300, in: stores)
      let rates = [
        try await perSecond(2_000, in: stores), try await perSecond(2_000, in: stores),
        try await perSecond(2_000, in: stores),
      ]
      let photo = try tinyPhoto(seed: 0)
      var shared: [Double] = []
      for _ in 0..<3 {
        shared.append(try await perSecond(2_000, in: stores) { _ in [photo] })
      }
      return [
        ["market": near], ["market": rates.median ?? 0], ["market": shared.median ?? 0],
      ]
    }
  }

  /// The first page, not remembered, after edits beside a snapshot that stays open.
  private static var snapshot: Benchmark {
    Benchmark([
      Figure("page 1", .milliseconds),
      Figure("page 1, 100,000 edits beside a snapshot", .milliseconds, atMost: 3),
      Figure("these edits", .perSecond),
    ]) { _ in
      let cluster = try TestCluster()
      defer { withExtendedLifetime(cluster) {} }
      let address = try cluster.emptySchema()
      let store = try await store(at: address)
      _ = try await perSecond(2_400, in: [store])
      let before = try await pageTime(in: store)
      let holder = try PseudoTerminal(
        [
          "psql", address, "-c",
          "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM product; SELECT pg_sleep(900)",
        ], environment: Tool.environment, size: TerminalSize(columns: 80, rows: 24))
      defer { holder.signal(9) }
      try cluster.run(
        "DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep') LOOP "
          + "PERFORM pg_stat_clear_snapshot(); PERFORM 1 FROM generate_series(1, 10000); "
          + "END LOOP; END $$", at: address)
      let (writers, edits) = (24, 100_000)
      let start = ContinuousClock.now
      try await inTurns(writers, of: writers) { writer in
        for round in 0..<edits / writers {
          let id = Int64(1 + writer + writers * (round % 100))
          _ = try await store.update(
            Product.ID(rawValue: id), with: ProductPatch(priceHundredths: 100 * Int64(1 + round)),
            password: Password("open sesame"), by: author, expecting: nil)
        }
      }
      let seconds = start.duration(to: .now) / .seconds(1)
      let after = try await pageTime(in: store)
      return [["market": before], ["market": after], ["market": Double(edits) / seconds]]
    }
  }

  private static var renaming: Benchmark {
    Benchmark([
      Figure("renaming a seller of 20", .milliseconds),
      Figure("renaming a seller of 20,000", .milliseconds),
      Figure("until searches find all 20,000 by the new name", .seconds, atMost: 10),
    ]) { bench in
      let cluster = try TestCluster()
      defer { withExtendedLifetime(cluster) {} }
      let file = try await SQLiteStore.open(
        at: bench.workbench.freshDirectory("renaming") + "/market.sqlite",
        pictureProcessor: UploadPreparer(),
        options: SQLiteStore.Options(
          createsFile: true, passwordCost: .least))
      let database = try await store(at: cluster.emptySchema())
      let (here, there) = (try await renamings(in: database), try await renamings(in: file))
      return zip(here, there).map { ["market": $0, "on SQLite": $1] }
    }
  }

  /// Registrations with three photos of some 290 KB, inside and outside of the database in turns.
  private static var outside: Benchmark {
    Benchmark([
      Figure("registrations with photos inside", .perSecond),
      Figure("photos outside / inside", .times, .atLeast(1.5)),
      Figure("database a product, photos outside", .bytes, atMost: 3_072),
    ]) { bench in
      let (cluster, _) = try writtenThrough()
      defer { withExtendedLifetime(cluster) {} }
      let folder = try bench.workbench.freshDirectory("outside")
      let places = [try cluster.database("inside"), try cluster.database("outside")]
      let inside = try await store(at: places[0])
      let outside = try await store(
        at: places[1], outside: ExternalPictures(FolderStorage(at: folder)))
      let (count, rounds) = (48, 4)
      let photos = try (0..<3 * count * rounds).map { try noisyPhoto(seed: UInt64($0)) }
      var rates: [(Double, Double)] = []
      for round in 0..<rounds {
        var pair: [Double] = []
        for position in [inside, outside] {
          pair.append(
            try await perSecond(count, in: [position], lanes: 8) { number in
              let first = 3 * (round * count + number)
              return Array(photos[first..<first + 3])
            })
        }
        rates.append((pair[0], pair[1]))
      }
      // So many that pages of tables which are begun count for nothing.
      let small = 6_000
      let before = try size(of: places[1])
      _ = try await perSecond(small, in: [outside]) { number in
        try (0..<3).map { try tinyPhoto(seed: UInt64(1 + 3 * number + $0)) }
      }
      let grown = (try size(of: places[1]) - before) / Double(small)
      return [
        ["market": rates.map(\.0).median ?? 0], ["market": rates.map { $1 / $0 }.median ?? 0],
        ["market": grown],
      ]
    }
  }

  private static let author = Author.seller(SellerIdentifier(secret: "writer"))

  private static func writtenThrough() throws -> (TestCluster, String) {
    guard TestCluster.isPossible else { throw BenchError.preparationFailed(TestCluster.hint) }
    let cluster = try TestCluster()
    let address = try cluster.emptySchema()
    try cluster.writeThrough(at: address)
    return (cluster, address)
  }

  private static func store(
    at address: String, outside: ExternalPictures? = nil
  ) async throws -> PostgresMarketStore {
    var options = PostgresMarketStore.Options(
      makeFile: { path throws(RepositoryError) in
        try await SQLiteStore.open(
          at: path, pictureProcessor: UploadPreparer(),
          options: SQLiteStore.Options(createsFile: true))
      }, passwordCost: .least, passwordLanes: .served)
    options.outside = outside
    return try await PostgresMarketStore.open(
      at: address, pictureProcessor: PictureProcessorPool((0..<2).map { _ in UploadPreparer() }),
      options: options)
  }

  /// Does something so many times, by so many at a time.
  private static func inTurns(
    _ count: Int, of lanes: Int, _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        if number >= lanes { try await group.next() }
        group.addTask { try await body(number) }
      }
      try await group.waitForAll()
    }
  }

  /// Registers a product; where no pictures are named, with a small one of its own.
  private static func register(
    _ number: Int, _ pictures: [[UInt8]]? = nil, in store: any StoredMarket,
    _ seller: String = "writer"
  ) async throws {
    let registration = ProductRegistration(
      name: "Mug \(number)", description: "As good as new.",
      price: Money(hundredths: 1_000_000, currency: .krw), stock: 1,
      pictures: try pictures ?? [tinyPhoto(seed: .random(in: 0 ... .max))],
      password: Password("open sesame"))
    _ = try await store.register(
      registration, by: .seller(SellerIdentifier(secret: seller)),
      key: IdempotencyKey(rawValue: "\(seller) \(number) \(UInt64.random(in: 0 ... .max))"))
  }

  /// Registers so many products, the stores in turns.
  private static func perSecond(
    _ count: Int, in stores: [any StoredMarket], lanes: Int = 24,
    pictures: @escaping @Sendable (Int) throws -> [[UInt8]]? = { _ in nil }
  ) async throws -> Double {
    let start = ContinuousClock.now
    try await inTurns(count, of: lanes) { number in
      try await register(number, try pictures(number), in: stores[number % stores.count])
    }
    return Double(count) / (start.duration(to: .now) / .seconds(1))
  }

  private static func pageTime(in store: PostgresMarketStore) async throws -> Double {
    var times: [Double] = []
    for _ in 0..<100 {
      let start = ContinuousClock.now
      _ = try await store.page(PageRequest(size: 20))
      times.append(start.duration(to: .now).milliseconds)
    }
    return times.median ?? 0
  }

  /// Milliseconds for a seller of a few and for one of many products, and seconds until the index has
  /// followed.
  private static func renamings(in store: any StoredMarket) async throws -> [Double] {
    var answers: [Double] = []
    for (seller, count) in [("few", 20), ("many", 20_000)] {
      let identifier = SellerIdentifier(secret: seller)
      _ = try await store.change(identifier, SellerChange(name: "Oldname \(seller)"))
      try await inTurns(count, of: 16) { try await register($0, in: store, seller) }
      var times: [Double] = []
      for round in 0..<(count == 20 ? 5 : 1) {
        let start = ContinuousClock.now
        _ = try await store.change(identifier, SellerChange(name: "Newname \(seller) \(round)"))
        times.append(start.duration(to: .now).milliseconds)
      }
      answers.append(times.median ?? 0)
    }
    let start = ContinuousClock.now
    while try await store.total(of: ProductQuery(text: "oldname many")) != .exactly(0) {
      try await Task.sleep(for: .milliseconds(50))
    }
    return answers + [start.duration(to: .now) / .seconds(1)]
  }

  /// Bytes of a database.
  private static func size(of address: String) throws -> Double {
    let run = try PipedRun(
      ["psql", address, "-Atc", "SELECT pg_database_size(current_database())"],
      environment: Tool.environment)
    let line = run.output.split(separator: "\n").first
    guard let bytes = line.flatMap({ Double($0) }) else { throw BenchError.noAnswer(run.errors) }
    return bytes
  }

  /// A photo of noise, which takes some 290 KB.
  private static func noisyPhoto(seed: UInt64) throws -> [UInt8] {
    try noise(PixelSize(width: 736, height: 552), seed: seed)
  }

  /// Hardly any bytes, and another picture for each number.
  private static func tinyPhoto(seed: UInt64) throws -> [UInt8] {
    try noise(PixelSize(width: 16, height: 16), seed: seed)
  }

  private static func noise(_ size: PixelSize, seed: UInt64) throws -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.pixelCount * 4)
    for _ in 0..<size.pixelCount {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = UInt8(truncatingIfNeeded: state >> 56)
      pixels += [noise, UInt8(truncatingIfNeeded: state >> 48), noise / 2, 255]
    }
    return try PictureEncoder.jpeg(Bitmap(size: size, pixels: pixels), quality: 80)
  }
}

import MarketModel
import MarketStore
import PictureKit
import SafeTextKit
import StoreCore

extension Section {
  /// Registering products with a picture, eight at a time: each is on the disk before the next.
  static var registrations: Section {
    Section(
      name: "registrations", subjects: ["market"],
      benchmarks: [
        Benchmark(
          [Figure("passwords at their cheapest", .perSecond, .atLeast(300)).pictured]
        ) { [["market": try await perSecond(400, .least, $0)]] },
        Benchmark([Figure("passwords as they are", .perSecond)]) {
          [["market": try await perSecond(80, .standard, $0)]]
        },
      ])
  }

  private static func perSecond(
    _ count: Int, _ cost: PasswordHasher.Cost, _ bench: Bench
  ) async throws -> Double {
    let path = try bench.workbench.freshDirectory("registrations") + "/market.sqlite"
    let store = try await SQLiteStore.open(
      at: path, pictureProcessor: UploadPreparer(),
      options: SQLiteStore.Options(createsFile: true, passwordCost: cost))
    return try await registrationsPerSecond(count, in: store)
  }

  /// Registers so many products in a store.
  static func registrationsPerSecond(_ count: Int, in store: any StoredMarket) async throws
    -> Double
  {
    let picture = try PictureMarket.photo(0)
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        if number >= 8 { try await group.next() }
        group.addTask { try await register(number, picture, in: store) }
      }
      try await group.waitForAll()
    }
    return Double(count) / (start.duration(to: .now) / .seconds(1))
  }

  private static func register(
    _ number: Int, _ picture: [UInt8], in store: any StoredMarket
  ) async throws {
    let registration = ProductRegistration(
      name: "Mug \(number)", description: "As good as new.",
      price: Money(hundredths: 1_000_000, currency: .krw), stock: 1, pictures: [picture],
      password: Password("open sesame"))
    _ = try await store.register(
      registration, by: .guest, key: IdempotencyKey(rawValue: "bench \(number)"))
  }
}

import MarketAPI
import MarketModel
import Synchronization

/// Limits of how much a market takes in.
package struct IntakeLimits: Hashable, Sendable {
  /// Registrations a minute from one address; nil has no bound.
  package var registrationsPerMinute: Int? = 600
  /// Bytes that the store may grow to; nil has no bound.
  package var storeBytes: Int64?

  package init() {}
}

/// Guard of what makes a market grow: registrations, and edits with new pictures or texts.
///
/// Each server counts for itself, so that several servers of one store may take in as many times the
/// registrations; the bytes are those of the store they share.
final class Intake: Sendable {
  private struct State {
    /// Time at which an address has used up nothing any more, in milliseconds since 1970.
    var busyUntil: [String: Int64] = [:]
    /// Bytes that are being written.
    var bytesUnderWay: Int64 = 0

    mutating func remember(_ time: Int64, of address: String, now: Int64) {
      if busyUntil.count >= Intake.addressLimit, busyUntil[address] == nil {
        busyUntil = busyUntil.filter { $0.value > now }
        if busyUntil.count >= Intake.addressLimit,
          let least = busyUntil.min(by: { $0.value < $1.value })
        {
          busyUntil[least.key] = nil
        }
      }
      busyUntil[address] = time
    }
  }

  private static let minute: Int64 = 60_000
  /// Addresses that are remembered; beyond that those go that have used up least.
  private static let addressLimit = 10_000

  private let limits: IntakeLimits
  private let market: any ServedMarket
  private let now: @Sendable () -> Int64
  private let state = Mutex(State())

  init(_ limits: IntakeLimits, of market: any ServedMarket, now: @escaping @Sendable () -> Int64) {
    self.limits = limits
    self.market = market
    self.now = now
  }

  /// Decides whether an operation may be done, and gives the bytes to hand to `end` when it was.
  ///
  /// Throws `.tooManyRequests` or `.marketFull`.
  func begin(
    _ operation: MarketOperation, from address: String
  ) async throws(RepositoryError) -> Int64 {
    if case .register = operation { try countRegistration(from: address) }
    guard let limit = limits.storeBytes, case let growth = operation.growth, growth > 0 else {
      return 0
    }
    // A store that cannot be asked says so when it is written to.
    guard let stored = try? await market.storedBytes() else { return 0 }
    let fits = state.withLock { state in
      guard stored + state.bytesUnderWay + growth <= limit else { return false }
      state.bytesUnderWay += growth
      return true
    }
    guard fits else { throw .marketFull }
    return growth
  }

  func end(_ growth: Int64) {
    if growth > 0 { state.withLock { $0.bytesUnderWay -= growth } }
  }

  private func countRegistration(from address: String) throws(RepositoryError) {
    guard let perMinute = limits.registrationsPerMinute else { return }
    let now = now() * 1_000
    let cost = Self.minute / Int64(perMinute)
    let excess = state.withLock { state in
      let busyUntil = min(max(state.busyUntil[address] ?? 0, now), now + Self.minute) + cost
      let excess = busyUntil - now - Self.minute
      if excess <= 0 { state.remember(busyUntil, of: address, now: now) }
      return excess
    }
    guard excess > 0 else { return }
    throw .tooManyRequests(retryAfterSeconds: Int((excess + 999) / 1_000))
  }
}

extension MarketOperation {
  /// Bytes that a product needs in a store beside its texts and pictures.
  private static let productBytes: Int64 = 4 << 10

  /// Bytes that the store grows by, about; 0 for what makes it no larger.
  fileprivate var growth: Int64 {
    switch self {
    case .register(let registration, _, _):
      return Self.productBytes
        + Self.bytes([registration.name, registration.description], registration.pictures)
    case .update(let update):
      return Self.bytes(
        [update.patch.name, update.patch.description].compactMap(\.self),
        update.patch.pictures?.newFiles ?? [])
    default: return 0
    }
  }

  private static func bytes(_ texts: [String], _ files: [[UInt8]]) -> Int64 {
    Int64(texts.reduce(0) { $0 + $1.utf8.count } + files.reduce(0) { $0 + $1.count })
  }
}

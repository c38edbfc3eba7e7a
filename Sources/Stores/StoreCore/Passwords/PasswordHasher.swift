internal import CSodium
import DispatchBridge
import MarketModel

/// Hashes and checks passwords with Argon2id, one at a time on a queue of its own.
package actor PasswordHasher {
  /// Cost of one hash.
  package struct Cost: Hashable, Sendable {
    package var passes: UInt64
    package var bytes: Int

    package init(passes: UInt64, bytes: Int) {
      self.passes = passes
      self.bytes = bytes
    }

    /// 19 MiB and 2 passes.
    package static let standard = Cost(passes: 2, bytes: 19 << 20)
    /// The least that Argon2id allows; for tests and measurements.
    package static let least = Cost(passes: 1, bytes: 8 << 10)
  }

  /// In bytes.
  package static let longestHash = 128

  /// No hash is made for want of memory, or by a cost that Argon2id does not have.
  package struct Failure: Error {}

  private let executor = QueueExecutor(label: "market.passwords")
  private let cost: Cost
  private let wait: TimeMeter
  private let work: TimeMeter

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package init(cost: Cost = .standard, measures: Measures = Measures()) {
    self.cost = cost
    wait = measures.timer(.passwordWait)
    work = measures.timer(.passwordTime)
    Sodium.prepare()
  }

  /// A hash of a password with a new salt, as `crypto_pwhash_str` writes it.
  package nonisolated func hash(_ password: Password) async throws(Failure) -> String {
    try await hash(password, since: .now)
  }

  private func hash(
    _ password: Password, since asked: ContinuousClock.Instant
  ) throws(Failure) -> String {
    wait.note(since: asked)
    let began = ContinuousClock.now
    defer { work.note(since: began) }
    let cost = cost
    let text = password.withBytes { bytes -> String? in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        guard let start = bytes.baseAddress else { return nil }
        var hash = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
        let code = crypto_pwhash_str_alg(
          &hash, start, UInt64(bytes.count), cost.passes, cost.bytes,
          crypto_pwhash_alg_argon2id13())
        guard code == 0 else { return nil }
        return String(decoding: hash.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      }
    }
    guard let text else { throw Failure() }
    return text
  }

  /// Whether a password is the one of this hash; in a time that says nothing about either.
  package nonisolated func matches(_ password: Password, _ hash: String) async -> Bool {
    await matches(password, hash, since: .now)
  }

  private func matches(
    _ password: Password, _ hash: String, since asked: ContinuousClock.Instant
  ) -> Bool {
    wait.note(since: asked)
    let began = ContinuousClock.now
    defer { work.note(since: began) }
    guard Self.isAffordable(hash) else { return false }
    return password.withBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        guard let start = bytes.baseAddress else { return false }
        return crypto_pwhash_str_verify(hash, start, UInt64(bytes.count)) == 0
      }
    }
  }

  /// Whether checking a hash costs at most 64 MiB and 4 passes.
  ///
  /// A file from a stranger cannot ask for all memory there is. Reads
  /// `$argon2id$v=19$m=19456,t=2,p=1$...`.
  private static func isAffordable(_ hash: String) -> Bool {
    let parts = hash.split(separator: "$")
    guard hash.utf8.count < longestHash, parts.count == 5, parts[0] == "argon2id" else {
      return false
    }
    let costs = parts[2].split(separator: ",")
    guard costs.count == 3, let kibibytes = Int(costs[0].dropFirst(2)),
      let passes = Int(costs[1].dropFirst(2))
    else { return false }
    return kibibytes <= 64 << 10 && passes <= 4
  }
}

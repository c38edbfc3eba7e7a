internal import CSodium
import DispatchBridge
import Glibc
import MarketModel
internal import SafeTextKit
import Synchronization

/// Hashes and checks passwords with Argon2id on a limited number of threads ("lanes"), first come first
/// served.
package final class PasswordHasher: Sendable {
  package static var libraryVersion: String { String(cString: sodium_version_string()) }

  /// Cost of one hash.
  package struct Cost: Hashable, Sendable {
    package var passes: UInt64
    package var bytes: Int

    /// 19 MiB and 2 passes.
    package static let standard = Cost(passes: 2, bytes: 19 << 20)
    /// Argon2id's minimum; for tests and measurements.
    package static let least = Cost(passes: 1, bytes: 8 << 10)
  }

  /// Number of lanes, and the maximum wait for one.
  package struct Lanes: Hashable, Sendable {
    /// Passwords that are hashed at once; each needs the memory of a hash.
    package var count: Int
    /// Maximum wait for a lane, then `.store(.locked)`; nil waits without limit.
    package var timeout: Duration?

    package init(count: Int, timeout: Duration? = nil) {
      self.count = count
      self.timeout = timeout
    }

    /// One lane, without a limit to the wait.
    package static let one = Lanes(count: 1)

    /// One lane for each core, at most 16, and a wait of two seconds.
    package static var served: Lanes {
      let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
      return Lanes(count: min(16, max(1, cores)), timeout: .seconds(2))
    }
  }

  private struct Waiting {
    /// Deadline of the wait; nil waits without limit.
    let end: ContinuousClock.Instant?
    let continuation: CheckedContinuation<PasswordLane?, Never>
  }

  private struct State {
    var free: [PasswordLane]
    var slots: SlotQueue<Everyone, Waiting>
  }

  private let cost: Cost
  private let timeout: Duration?
  private let wait: TimerMetric
  private let work: TimerMetric
  private let state: Mutex<State>

  package init(
    cost: Cost = .standard, lanes: Lanes = .one, registry: MetricsRegistry = MetricsRegistry()
  ) {
    self.cost = cost
    timeout = lanes.timeout
    wait = registry.timer(.passwordWait)
    work = registry.timer(.passwordTime)
    let free = (0..<max(1, lanes.count)).map { _ in PasswordLane() }
    state = Mutex(State(free: free, slots: SlotQueue(limit: free.count)))
    Sodium.prepare()
  }

  /// The Argon2id hash of a password, normalized to NFC, with a new salt, in the format of
  /// `crypto_pwhash_str`.
  /// - Throws: `.store(.failed)` where Argon2id has no memory, or refuses the cost; `.store(.locked)` after
  ///   the timeout.
  package func hash(_ password: Password) async throws(RepositoryError) -> String {
    let lane = try await freeLane()
    defer { release(lane) }
    let began = ContinuousClock.now
    defer { work.note(since: began) }
    guard let hash = await lane.hash(password.normalized(.composed) ?? password, cost) else {
      throw .store(.failed(code: 0))
    }
    return hash
  }

  /// Whether a password matches a hash in NFC, as entered, or in NFD, compared in constant time; false
  /// for a hash above the affordable cost.
  /// - Throws: `.store(.locked)` after the timeout.
  package func matches(
    _ password: Password, _ hash: String
  ) async throws(RepositoryError) -> Bool {
    guard PasswordLane.isAffordable(hash) else { return false }
    let lane = try await freeLane()
    defer { release(lane) }
    let began = ContinuousClock.now
    defer { work.note(since: began) }
    for spelling in password.spellings where await lane.matches(spelling, hash) { return true }
    return false
  }

  private func freeLane() async throws(RepositoryError) -> PasswordLane {
    let asked = ContinuousClock.now
    defer { wait.note(since: asked) }
    let end = timeout.map { asked + $0 }
    let lane: PasswordLane? = await withCheckedContinuation { continuation in
      let call = Waiting(end: end, continuation: continuation)
      let free = state.withLock { state in
        state.slots.enter(.all, call) == .begins ? state.free.popLast() : nil
      }
      if let free { continuation.resume(returning: free) }
    }
    guard let lane else { throw .store(.locked) }
    return lane
  }

  /// Passes the lane to the next call, and ends the waits that are past their deadline.
  ///
  /// Lanes return often enough that no timer is needed for that.
  private func release(_ lane: PasswordLane) {
    let now = ContinuousClock.now
    let (late, next) = state.withLock { state in
      let late = state.slots.remove(of: .all) { $0.end.map { $0 <= now } ?? false }
      let next = state.slots.leave(.all)
      if next == nil { state.free.append(lane) }
      return (late, next)
    }
    for call in late { call.continuation.resume(returning: nil) }
    next?.continuation.resume(returning: lane)
  }
}

extension Password {
  /// Forms in which it may have been hashed, each once: NFC, as all are hashed here, or as entered, which
  /// on some Macs is NFD, where an import brought the hash.
  fileprivate var spellings: [Password] {
    [normalized(.composed), self, normalized(.decomposed)].reduce(into: []) { all, spelling in
      guard let spelling, !all.contains(where: spelling.hasBytes) else { return }
      all.append(spelling)
    }
  }

  /// In a normalization form, in memory of its own; nil where the result exceeds the length of a
  /// password.
  fileprivate func normalized(_ form: NormalizationForm) -> Password? {
    withBytes { bytes in form.withBytes(of: bytes) { Password(bytes: $0) } }
  }

  /// Whether another password, not a copy of this one, has the same bytes.
  private func hasBytes(of other: Password) -> Bool {
    withBytes { bytes in other.withBytes { bytes.elementsEqual($0) } }
  }
}

/// Serial queue on which passwords are hashed and checked.
private actor PasswordLane {
  private let executor = QueueExecutor(label: "market.passwords")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Nil where there is no memory, or Argon2id refuses the cost.
  func hash(_ password: Password, _ cost: PasswordHasher.Cost) -> String? {
    password.withBytes { bytes -> String? in
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
  }

  func matches(_ password: Password, _ hash: String) -> Bool {
    password.withBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        guard let start = bytes.baseAddress else { return false }
        return crypto_pwhash_str_verify(hash, start, UInt64(bytes.count)) == 0
      }
    }
  }

  /// Whether a hash costs at most 64 MiB and 4 passes to check.
  ///
  /// A hash in an untrusted file could otherwise ask for all memory. Reads
  /// `$argon2id$v=19$m=19456,t=2,p=1$...`.
  static func isAffordable(_ hash: String) -> Bool {
    let parts = hash.split(separator: "$")
    guard hash.utf8.count <= StorageRules.passwordHashBytes, parts.count == 5,
      parts[0] == "argon2id"
    else {
      return false
    }
    let costs = parts[2].split(separator: ",")
    guard costs.count == 3, let kibibytes = Int(costs[0].dropFirst(2)),
      let passes = Int(costs[1].dropFirst(2))
    else { return false }
    return kibibytes <= 64 << 10 && passes <= 4
  }
}

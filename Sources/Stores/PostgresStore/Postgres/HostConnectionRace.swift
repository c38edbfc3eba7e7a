internal import CPostgres
import Dispatch
import Glibc
import SQLiteKit
import StoreCore
import Synchronization

/// Concurrent connection attempts to a database's hosts, of which the first usable one wins.
///
/// The last winner is tried first, and the next host when it has failed or 250 ms later (RFC 8305,
/// section 5), so that an unreachable host costs no more than that. A host that refused, as a standby
/// does where a writable one is requested, is tried again while others are pending: it may be the one
/// that takes over.
struct HostConnectionRace {
  fileprivate struct Runner {
    let host: Int
    let pointer: OpaquePointer
    var step = PGRES_POLLING_WRITING
    let end: DispatchTime
  }

  private static let headStartMilliseconds = 250
  private static let pause = DispatchTimeInterval.milliseconds(250)
  /// Maximum time of an attempt where the address sets none.
  private static let longest = DispatchTimeInterval.seconds(3_600)

  private let address: PostgresAddress
  private let preferred: PreferredHost?
  /// Hosts to be tried, and when, the earliest first.
  private var starts: [(host: Int, time: DispatchTime)]
  private var runners: [Runner] = []
  private var failure: StoreError?

  private init(_ address: PostgresAddress, _ preferred: PreferredHost?) {
    self.address = address
    self.preferred = preferred
    let count = address.hostCount
    let first = min(preferred?.host ?? 0, count - 1)
    let now = DispatchTime.now()
    starts = (0..<count).map { turn in
      ((first + turn) % count, now + .milliseconds(Self.headStartMilliseconds * turn))
    }
  }

  /// Connects to one of an address's hosts.
  /// - Throws: `.cannotOpen` where a password is missing; `.disconnected` with the reason of the first
  ///   host that failed.
  static func connection(
    to address: PostgresAddress, _ preferred: PreferredHost?
  ) throws(StoreError) -> OpaquePointer {
    var race = HostConnectionRace(address, preferred)
    defer { for runner in race.runners { PQfinish(runner.pointer) } }
    while true {
      race.begin()
      if let winner = race.advance() { return winner }
      guard !race.runners.isEmpty || !race.starts.isEmpty else {
        throw race.failure ?? .disconnected("no host")
      }
      race.wait()
    }
  }

  /// Starts the attempts that are due.
  private mutating func begin() {
    while let next = starts.first, runners.isEmpty || next.time <= .now() {
      starts.removeFirst()
      guard let pointer = address.start(at: next.host) else {
        fail(.disconnected("out of memory"))
        continue
      }
      runners.append(
        Runner(host: next.host, pointer: pointer, end: .now() + Self.timeout(of: pointer)))
    }
  }

  /// Advances each attempt as far as possible without waiting, and returns the winner; nil while there is
  /// none.
  private mutating func advance() -> OpaquePointer? {
    for index in runners.indices.reversed() {
      let runner = runners[index]
      if PQstatus(runner.pointer) == CONNECTION_BAD {
        runners[index].step = PGRES_POLLING_FAILED
      } else if SocketWait.isReady(PQsocket(runner.pointer), toWrite: runner.isWriting) {
        runners[index].step = PQconnectPoll(runner.pointer)
      } else if runner.end <= .now() {
        runners[index].step = PGRES_POLLING_FAILED
      }
      switch runners[index].step {
      case PGRES_POLLING_OK:
        runners.remove(at: index)
        preferred?.host = runner.host
        return runner.pointer
      case PGRES_POLLING_FAILED: drop(index)
      default: break
      }
    }
    return nil
  }

  /// Removes a failed attempt, starts the next one, and schedules a retry.
  private mutating func drop(_ index: Int) {
    let runner = runners.remove(at: index)
    let reason = PostgresResults(on: runner.pointer).reason
    fail(
      PQconnectionNeedsPassword(runner.pointer) != 0
        ? .cannotOpen(reason)
        : .disconnected(reason.isEmpty ? "the database does not answer in time" : reason))
    PQfinish(runner.pointer)
    let now = DispatchTime.now()
    if !starts.isEmpty { starts[0].time = min(starts[0].time, now) }
    guard !runners.isEmpty else { return }
    starts.append((runner.host, now + Self.pause))
    starts.sort { $0.time < $1.time }
  }

  /// The first error is kept: it is that of the preferred host.
  private mutating func fail(_ error: StoreError) { failure = failure ?? error }

  private func wait() {
    var times = runners.map(\.end)
    if let next = starts.first { times.append(next.time) }
    guard let deadline = times.min() else { return }
    SocketWait.untilAny(
      runners.map { (PQsocket($0.pointer), toWrite: $0.isWriting) }, before: deadline)
  }

  /// Timeout of each host (`connect_timeout`); `longest` where the address sets none.
  private static func timeout(of pointer: OpaquePointer) -> DispatchTimeInterval {
    let text = PostgresConnection.parameter("connect_timeout", of: pointer)
    guard let seconds = text.flatMap({ Int($0) }), seconds > 0 else { return longest }
    return .seconds(min(seconds, 3_600))
  }
}

extension HostConnectionRace.Runner {
  fileprivate var isWriting: Bool { step == PGRES_POLLING_WRITING }
}

/// Host of an address that last accepted a connection.
final class PreferredHost: Sendable {
  private let number = Atomic(0)

  var host: Int {
    get { number.load(ordering: .relaxed) }
    set { number.store(newValue, ordering: .relaxed) }
  }
}

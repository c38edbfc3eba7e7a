import Glibc
import Synchronization
import TestSupport

/// Clients that watch one server, all on one thread.
///
/// Unchecked: the thread alone touches the descriptors and samples; anything else is under a lock.
final class WatcherLoad: @unchecked Sendable {
  /// Watchers whose events are read; the others only take them.
  private static let readers = 1_000
  /// Time between two looks at the sockets of readers, and how many of these pass until the others are
  /// looked at, too: looking takes the time that the server is measured by.
  private static let pauseMicroseconds: UInt32 = 10_000
  private static let looksBetween = 50

  private struct State {
    /// Times at which changes were acknowledged, in nanoseconds.
    var told: [WatchedChange: UInt64] = [:]
    var delays: [UInt64] = []
    var greeted = 0
    var lost = 0
    /// Changes that the first watcher heard.
    var heard: [WatchedChange] = []
  }

  private var descriptors: [Int32] = []
  private let port: UInt16
  private let count: Int
  private let state = Mutex(State())
  private let isOver = Atomic(false)

  init(of count: Int, at port: UInt16) {
    self.count = count
    self.port = port
  }

  /// Connects all and returns when each was greeted.
  func gather() async throws {
    for index in 0..<count { try join(index) }
    let thread = Thread { self.run() }
    thread.start()
    while state.withLock({ $0.greeted }) < count {
      guard state.withLock({ $0.lost }) == 0 else {
        throw UnexpectedError(description: "watchers were turned away")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  func leave() { isOver.store(true, ordering: .relaxed) }

  func didMake(_ change: WatchedChange, at time: UInt64) {
    state.withLock { $0.told[change] = time }
  }

  /// Forgets what was measured so far.
  func beginMeasuring() { state.withLock { ($0.delays, $0.told, $0.heard) = ([], [:], []) } }

  /// Milliseconds from the change to a watcher's socket, sorted.
  var delays: [Double] { state.withLock { $0.delays }.map { Double($0) / 1e6 }.sorted() }

  var lostCount: Int { state.withLock { $0.lost } }

  /// Changes that the first watcher was told, in order.
  var heard: [WatchedChange] { state.withLock { $0.heard } }

  private func join(_ index: Int) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw UnexpectedError(description: "cannot connect: \(errno)") }
    let request = Array(
      "GET /api/changes HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n".utf8)
    _ = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
    descriptors.append(descriptor)
  }

  private func run() {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var greeted = [Bool](repeating: false, count: count)
    var rests = [[UInt8]](repeating: [], count: min(Self.readers, count))
    var looks = 0
    while !isOver.load(ordering: .relaxed) {
      let isGathered = state.withLock { $0.greeted } == count
      let seen = isGathered && !looks.isMultiple(of: Self.looksBetween) ? rests.count : count
      looks += 1
      for index in 0..<seen where descriptors[index] >= 0 {
        let received = recv(descriptors[index], &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard received > 0 else {
          if received < 0, errno == EAGAIN { continue }
          close(descriptors[index])
          descriptors[index] = -1
          state.withLock { $0.lost += 1 }
          continue
        }
        if !greeted[index] {
          greeted[index] = true
          state.withLock { $0.greeted += 1 }
        }
        guard index < rests.count else { continue }
        let now = Nanoseconds.now()
        rests[index] += buffer[..<received]
        let whole = rests[index].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        read(rests[index][..<whole], by: index, at: now)
        rests[index].removeFirst(whole)
      }
      usleep(Self.pauseMicroseconds)
    }
    for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
  }

  /// Notes the changes in whole lines.
  private func read(_ lines: ArraySlice<UInt8>, by index: Int, at now: UInt64) {
    let changes = String(decoding: lines, as: UTF8.self).split(separator: "data: {\"id\":")
      .dropFirst()
      .compactMap { WatchedChange(data: $0) }
    state.withLock { state in
      if index == 0 { state.heard += changes }
      // The event may arrive before the response to the client that made the change.
      state.delays += changes.compactMap { state.told[$0] }.map { now > $0 ? now - $0 : 0 }
    }
  }
}

/// A change of a product: the version that it led to is that product's own.
struct WatchedChange: Hashable, Sendable {
  let product: Int64
  let version: String

  init(product: Int64, version: String) {
    self.product = product
    self.version = version
  }

  /// Reads what follows `{"id":` in an event.
  init?(data: Substring) {
    guard let product = Int64(data.prefix { $0.isNumber }),
      let field = data.firstRange(of: "\"version\":\"")
    else { return nil }
    self.init(product: product, version: String(data[field.upperBound...].prefix { $0 != "\"" }))
  }
}

/// A thread that runs a body once.
private struct Thread {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  func start() {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    pthread_create(
      &thread, nil,
      { box in
        if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
        return nil
      }, box)
    pthread_detach(thread)
  }

  private final class Box {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}

/// The clock of the measurements.
enum Nanoseconds {
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

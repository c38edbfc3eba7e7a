import Glibc
import MarketModel
import MarketStore
import StoreCore
import TestSupport

/// Measures a server while thousands watch it: how late they hear of changes, what they cost in
/// memory, and how many pages are answered meanwhile.
@main enum WatcherLoadProgram {
  private static let products = 100

  static func main() async throws {
    raiseDescriptorLimit()
    let folder = try TemporaryFolder()
    let path = folder.path(of: "crowd.market")
    let market = try await Writer(path)
    let process = try ChildProcess(
      "market-server",
      arguments: [
        "--store", path, "--listen", "127.0.0.1:0", "--max-watchers", "6000",
        "--max-watchers-per-address", "6000",
      ])
    guard let line = try process.readLine(),
      let port = UInt16(line.split(separator: ":").last ?? "")
    else { throw UnexpectedError(description: "the server does not listen") }
    let server = Server(port: port, identifier: process.identifier)
    _ = try await server.pages(for: 2)
    let alone = try await rate(of: server, market, perSecond: 10)
    print("pages alone           \(Int(alone)) a second")
    for count in [500, 5_000] {
      try await measure(count, server, market, alone: alone)
    }
    _ = try process.terminate()
  }

  private static func measure(
    _ count: Int, _ server: Server, _ market: Writer, alone: Double
  ) async throws {
    let before = server.memory
    let crowd = WatcherLoad(of: count, at: server.port)
    try await crowd.gather()
    let memory = (server.memory - before) / count
    _ = try await market.change(times: 20, perSecond: 10, telling: crowd)
    crowd.beginMeasuring()
    _ = try await market.change(times: 100, perSecond: 10, telling: crowd)
    try await Task.sleep(for: .seconds(1))
    let delays = crowd.delays
    print("\(count) watchers")
    print("  memory a watcher    \(memory >> 10) KB of the process")
    print("  delay, median       \(at(0.5, delays)) ms of \(delays.count)")
    print("  delay, 999 of 1,000 \(at(0.999, delays)) ms, longest \(at(1, delays)) ms")
    let among = try await rate(of: server, market, perSecond: 10)
    print("  pages               \(Int(among)) a second, \(Int(100 * among / alone)) of 100")
    crowd.beginMeasuring()
    let told = try await market.change(times: 1_000, perSecond: 100, telling: crowd)
    try await Task.sleep(for: .seconds(2))
    let heard = crowd.heard.filter(Set(told).contains)
    let peak = (server.memory - before) / count
    print(
      "  at 100 changes/s    \(told.count - Set(heard).count) lost, \(peak >> 10) KB a watcher")
    print("  in order            \(told == heard), dropped \(crowd.lostCount)")
    crowd.leave()
  }

  private static func rate(
    of server: Server, _ market: Writer, perSecond: Int
  ) async throws -> Double {
    async let changes = market.change(times: 5 * perSecond, perSecond: perSecond, telling: nil)
    let rate = try await server.pages(for: 5)
    _ = try await changes
    return rate
  }

  private static func at(_ part: Double, _ delays: [Double]) -> Int {
    delays.isEmpty ? 0 : Int(delays[min(delays.count - 1, Int(Double(delays.count) * part))])
  }

  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 20_000)
    setrlimit(resource, &limit)
  }
}

/// Another program on the market's file, which changes its products.
struct Writer {
  private let store: SQLiteStore
  private let ids: [Product.ID]

  init(_ path: String) async throws {
    store = try await SQLiteStore.open(
      at: path, pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(
        createsFile: true, passwordCost: .least))
    var ids: [Product.ID] = []
    for number in 0..<100 {
      let detail = try await store.register(
        .sample(name: "Crowd \(number)"), by: .guest, key: IdempotencyKey(rawValue: "k\(number)"))
      ids.append(detail.id)
    }
    self.ids = ids
  }

  /// Changes products at a pace, and gives the changes in order.
  func change(
    times: Int, perSecond: Int, telling crowd: WatcherLoad?
  ) async throws -> [WatchedChange] {
    var changes: [WatchedChange] = []
    let clock = ContinuousClock()
    var next = clock.now
    for number in 0..<times {
      var patch = ProductPatch()
      patch.stock = Int64.random(in: 1...1_000_000)
      let detail = try await store.update(
        ids[number % ids.count], with: patch, password: Password("secret"), by: .guest,
        expecting: nil)
      let now = Nanoseconds.now()
      if let version = detail.version?.rawValue {
        let change = WatchedChange(product: detail.id.rawValue, version: version)
        crowd?.didMake(change, at: now)
        changes.append(change)
      }
      next += .seconds(1.0 / Double(perSecond))
      try await clock.sleep(until: next)
    }
    return changes
  }
}

/// The server that is measured.
struct Server {
  private static let connections = 8

  let port: UInt16
  let identifier: Int32

  /// Bytes that the process has in memory; what the system keeps for its sockets is not among them.
  var memory: Int {
    let pages = (try? FileContent(of: "/proc/\(identifier)/statm")).flatMap { file in
      String(decoding: file.bytes, as: UTF8.self).split(separator: " ").dropFirst().first
        .flatMap { Int($0) }
    }
    return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Pages a second that it answers to some clients that ask one after the other.
  func pages(for seconds: Double) async throws -> Double {
    let end = Nanoseconds.now() + UInt64(seconds * 1e9)
    let port = port
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<Self.connections {
        group.addTask {
          await withCheckedContinuation { continuation in
            let box = Unmanaged.passRetained(
              PageClient(port: port, end: end) { continuation.resume(returning: $0) }
            ).toOpaque()
            var thread = pthread_t()
            pthread_create(
              &thread, nil,
              { box in
                if let box { Unmanaged<PageClient>.fromOpaque(box).takeRetainedValue().run() }
                return nil
              }, box)
            pthread_detach(thread)
          }
        }
      }
      return await group.reduce(0, +)
    }
    return Double(counts) / seconds
  }
}

/// One client that asks for pages on a connection of its own.
private final class PageClient {
  private let port: UInt16
  private let end: UInt64
  private let done: (Int) -> Void

  init(port: UInt16, end: UInt64, done: @escaping (Int) -> Void) {
    self.port = port
    self.end = end
    self.done = done
  }

  func run() {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let request = Array(
      "GET /api/products?page_no=1&items_per_page=20 HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var count = 0
    while Nanoseconds.now() < end, send(descriptor, request, request.count, 0) > 0 {
      guard takeAnswer(from: descriptor, &buffer) else { break }
      count += 1
    }
    done(count)
  }

  /// Takes one answer that has a length.
  private func takeAnswer(from descriptor: Int32, _ buffer: inout [UInt8]) -> Bool {
    var length = 0
    var whole = Int.max
    while length < whole {
      let received = buffer.withUnsafeMutableBytes { bytes in
        recv(descriptor, bytes.baseAddress?.advanced(by: length), bytes.count - length, 0)
      }
      guard received > 0 else { return false }
      length += received
      guard whole == .max else { continue }
      let text = String(decoding: buffer[..<min(length, 1_024)], as: UTF8.self)
      guard let head = text.firstRange(of: "\r\n\r\n"),
        let field = text.firstRange(of: "Content-Length: ")
      else { continue }
      let digits = text[field.upperBound...].prefix { $0.isNumber }
      whole = text[..<head.upperBound].utf8.count + (Int(digits) ?? 0)
    }
    return true
  }
}

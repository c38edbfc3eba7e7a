import Dispatch
import PostgresTestSupport
import Synchronization

extension Section {
  /// Searches of one client beside those of an address that searches as much as it can, on PostgreSQL.
  static var sharing: Section {
    Section(
      name: "shares of searches", subjects: ["market"],
      benchmarks: [shares(of: Size(count: 200_000, text: "200,000"))])
  }

  private static let crowd = 12
  private static let rareCount = 60

  private static func shares(of size: Size) -> Benchmark {
    Benchmark([
      Figure("rare words of \(size.text), median", .milliseconds),
      Figure("beside twelve clients of single letters / alone", .times, atMost: 1.5),
      Figure("letters of these clients", .perSecond),
    ]) { bench in
      guard TestCluster.isPossible else { throw BenchError.preparationFailed(TestCluster.hint) }
      let cluster = try TestCluster()
      defer { withExtendedLifetime(cluster) {} }
      let address = try await filled(cluster, size.count)
      let market = try bench.requiredMarket()
      let server = try market.server(on: address)
      let client = try FreshServer(server)
      let rare = (0..<2 * rareCount).map { client.search(String(1_000 + 7 * $0)) }
      let alone = try client.times(Array(rare.prefix(rareCount)))
      let crowd = LetterCrowd(of: crowd, on: server.port)
      let began = ContinuousClock.now
      let beside = try client.times(Array(rare.suffix(rareCount)))
      let seconds = began.duration(to: .now).milliseconds / 1_000
      let count = crowd.stop()
      guard let one = alone.median, let other = beside.median else {
        throw BenchError.noAnswer("rare words")
      }
      return [["market": one], ["market": other / one], ["market": Double(count) / seconds]]
    }
  }
}

/// Clients of one address that ask for products with single letters, each time for another page, until
/// they are stopped.
private final class LetterCrowd: Sendable {
  private static let letters = "aekqriosntd".map(String.init)

  private let isStopped = Atomic(false)
  private let answers = Atomic(0)
  private let clients = DispatchGroup()

  init(of count: Int, on port: UInt16) {
    for number in 0..<count {
      DispatchQueue(label: "letters.\(number)").async(group: clients) {
        if let connection = try? LocalConnection(port: port, host: 2) {
          self.ask(over: connection, number)
        }
      }
    }
  }

  /// How many answers they had.
  func stop() -> Int {
    isStopped.store(true, ordering: .relaxed)
    clients.wait()
    return answers.load(ordering: .relaxed)
  }

  private func ask(over connection: LocalConnection, _ number: Int) {
    var position = number
    while !isStopped.load(ordering: .relaxed) {
      let letter = Self.letters[position % Self.letters.count]
      let size = 1 + position / Self.letters.count % 99
      let path = "/api/products?page_no=1&items_per_page=\(size)&search_value=\(letter)"
      if (try? connection.body(of: path)) != nil { answers.add(1, ordering: .relaxed) }
      position += 17
    }
  }
}

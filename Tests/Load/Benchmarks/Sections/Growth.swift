import TerminalTestSupport

extension Section {
  /// The same at three sizes: what a million products cost beside a thousand.
  static var growth: Section {
    Section(
      name: "growth", subjects: Size.all.reversed().map(\.text),
      benchmarks: [
        Benchmark([figure("start to first screen")]) { bench in
          [try bySize { try firstScreen(bench.requiredMarket().subject(list($0)), runs: 3) }]
        },
        Benchmark([figure("key to last byte")]) { bench in
          [try bySize { try key(bench.requiredMarket().subject(list($0))) }]
        },
        Benchmark([figure("page, new"), figure("detail, new"), grownSearch]) { bench in
          [
            try bySize { try pages($0, bench) }, try bySize { try details($0, bench) },
            try bySize { try searches($0, bench) },
          ]
        },
      ])
  }

  private static func figure(_ name: String) -> Figure {
    Figure(name, .milliseconds, .atMost(2, of: Size.thousand.text)).pictured
  }

  /// Searches may become slower, but not noticeably.
  private static var grownSearch: Figure { Figure("search, new", .milliseconds, atMost: 5) }

  private static func list(_ size: Size) -> Market.Setting {
    Market.Setting(store: .generated(size.count))
  }

  /// The best of three rounds in turns, so that what else the machine does meets all sizes alike.
  private static func bySize(_ measure: (Size) throws -> Double?) throws -> [String: Double] {
    var values: [String: [Double]] = [:]
    for _ in 0..<3 {
      for size in Size.all {
        if let value = try measure(size) { values[size.text, default: []].append(value) }
      }
    }
    return values.compactMapValues { $0.min() }
  }

  private static func key(_ subject: Subject) throws -> Double? {
    let probe = try Probe(subject)
    try probe.prepare()
    return (0..<200).compactMap { _ in probe.burst(after: subject.down)?.milliseconds }.median
  }

  /// All pages of the smallest store, and as many spread over the others.
  private static func pages(_ size: Size, _ bench: Bench) throws -> Double? {
    let server = try FreshServer(size, bench)
    return try server.times((0..<50).map { server.page(1 + $0 * size.count / 1_000) }).median
  }

  private static func details(_ size: Size, _ bench: Bench) throws -> Double? {
    let server = try FreshServer(size, bench)
    return try server.times((1...200).map { server.detail($0 * size.count / 200) }).median
  }

  private static func searches(_ size: Size, _ bench: Bench) throws -> Double? {
    let server = try FreshServer(size, bench)
    return try server.times(FreshServer.searches.map(server.search)).median
  }
}

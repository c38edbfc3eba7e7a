import TerminalTestSupport

extension Section {
  /// From starting the program to a screen that is of use.
  static var startUp: Section {
    Section(
      name: "start to first screen",
      benchmarks: [
        Benchmark(
          [Figure("60 products", .milliseconds, atMost: 20).pictured],
          Market.Setting(store: .generated(60))
        ) { [try firstScreen($0, runs: 15)] },
        Benchmark(
          [Figure("1,000,000 products", .milliseconds, atMost: 25).pictured],
          Market.Setting(store: .generated(1_000_000)), isCompared: false
        ) { [try firstScreen($0, runs: 15)] },
        Benchmark(
          [Figure("very first start, sample market", .milliseconds, atMost: 300)],
          Market.Setting(store: .none), isCompared: false
        ) { [try Probe($0).firstScreen()] },
      ])
  }

  static func firstScreen(_ subject: Subject, runs: Int) throws -> Double? {
    try (0..<runs).map { _ in try Probe(subject).firstScreen() }.median
  }
}

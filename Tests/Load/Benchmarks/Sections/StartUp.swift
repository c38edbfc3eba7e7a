import TerminalTestSupport

extension Section {
  /// 10 ms where a pager that shows a file takes 3.7.
  private static let startGoal = Goal.atMost(2.7, of: "less")

  /// From starting the program to a screen that is of use.
  static var startUp: Section {
    Section(
      name: "start to first screen",
      benchmarks: [
        Benchmark(
          [Figure("60 products", .milliseconds, startGoal).pictured],
          Market.Setting(store: .generated(60))
        ) { [try firstScreen($0, runs: 15)] },
        Benchmark(
          [Figure("1,000,000 products", .milliseconds, startGoal).pictured],
          Market.Setting(store: .generated(1_000_000))
        ) { [try firstScreen($0, runs: 15)] },
        Benchmark(
          // The Korean sample, whose prices are in the currency that tells the first products.
          [Figure("very first start, sample market", .milliseconds, atMost: 300)],
          Market.Setting(
            store: .none,
            arguments: ["--language", "ko", "--view", "list", "--pictures", "none"]),
          isCompared: false
        ) { [try Probe($0).firstScreen()] },
      ])
  }

  static func firstScreen(_ subject: Subject, runs: Int) throws -> Double? {
    try (0..<runs).map { _ in try Probe(subject).firstScreen() }.median
  }
}

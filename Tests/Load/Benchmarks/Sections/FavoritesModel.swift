import TerminalTestSupport

extension Section {
  /// Start and keys with 100,000 favorite and seen products.
  static var keeping: Section {
    Section(
      name: "100,000 things kept and seen",
      benchmarks: [
        Benchmark(
          [Figure("start to first screen", .milliseconds)],
          Market.Setting(store: .kept(products)), isCompared: false
        ) { [try firstScreen($0, runs: 15)] },
        Benchmark(
          [
            Figure("key in the list, median", .milliseconds, atMost: 1),
            Figure("key among what is kept, median", .milliseconds, atMost: 1),
            Figure("keep, until it is written and said, median", .milliseconds, atMost: 20),
          ], Market.Setting(store: .kept(products)), isCompared: false, measure: keptKeys),
      ])
  }

  private static let products = 100_000

  private static func keptKeys(_ subject: Subject) throws -> [Double?] {
    let probe = try Probe(subject)
    try probe.prepare()
    let moves = median(of: probe, [subject.down], until: .frame)
    let marks = median(of: probe, ["*", "*"], until: .silence(.milliseconds(40)))
    _ = probe.burst(after: "i", until: .silence(.milliseconds(400)))
    return [moves, median(of: probe, [subject.down], until: .frame), marks]
  }

  private static func median(of probe: Probe, _ keys: [KeyScript], until end: Probe.End) -> Double?
  {
    let times = (0..<100).flatMap { _ in
      keys.compactMap { probe.burst(after: $0, until: end)?.milliseconds }
    }
    probe.settle(.milliseconds(400))
    return times.median
  }
}

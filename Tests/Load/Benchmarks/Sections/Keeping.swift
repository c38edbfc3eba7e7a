import TerminalTestSupport

extension Section {
  /// Start and keys of somebody who keeps and has seen 100,000 products.
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
            Figure("keep, and undo it, median", .milliseconds, atMost: 1),
            Figure("key among what is kept, median", .milliseconds, atMost: 1),
          ], Market.Setting(store: .kept(products)), isCompared: false, measure: keptKeys),
      ])
  }

  private static let products = 100_000

  private static func keptKeys(_ subject: Subject) throws -> [Double?] {
    let probe = try Probe(subject)
    try probe.prepare()
    // A mark is drawn in a frame and told in the next one: all of both counts.
    func median(_ keys: [KeyScript]) -> Double? {
      (0..<100).flatMap { _ in
        keys.compactMap { probe.burst(after: $0, until: .silence(.milliseconds(30)))?.milliseconds }
      }.median
    }
    let moves = median([subject.down])
    probe.settle(.milliseconds(400))
    let marks = median(["*", "*"])
    probe.settle(.milliseconds(400))
    _ = probe.burst(after: "i", until: .silence(.milliseconds(400)))
    return [moves, marks, median([subject.down])]
  }
}

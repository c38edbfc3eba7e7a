import TerminalTestSupport

extension Section {
  /// Getting out, of a prompt and of the program.
  static var leaving: Section {
    let list = Market.Setting(store: .generated(10_000))
    return Section(
      name: "leaving",
      benchmarks: [
        Benchmark([Figure("Esc", .milliseconds, atMost: 30)], list, measure: escape),
        Benchmark([Figure("quit", .milliseconds, atMost: 50)], list) { subject in
          [try quit(subject) { try $0.prepare() }]
        },
        Benchmark(
          [Figure("quit while loading", .milliseconds, atMost: 50)],
          Market.Setting(store: .generated(1_000_000)), isCompared: false
        ) { subject in
          [try quit(subject) { _ = $0.burst(after: "", until: .frame) }]
        },
      ])
  }

  private static func escape(_ subject: Subject) throws -> [Double?] {
    guard let opener = subject.opener else { return [nil] }
    let probe = try Probe(subject)
    try probe.prepare()
    let times = (0..<5).compactMap { _ in
      _ = probe.burst(after: opener)
      probe.settle(.milliseconds(200))
      return probe.burst(after: "<Esc>", timeout: .seconds(3))?.milliseconds
    }
    return [times.median]
  }

  private static func quit(
    _ subject: Subject, prepare: (Probe) throws -> Void
  ) throws -> Double? {
    try (0..<5).map { _ in
      let probe = try Probe(subject)
      try prepare(probe)
      return try probe.timeToEnd(after: subject.quit)
    }.median
  }
}

import TerminalTestSupport

extension Section {
  /// Moving in a long list.
  static var keys: Section {
    Section(
      name: "keys in a list",
      benchmarks: [
        Benchmark(
          [
            Figure("key to last byte, median", .milliseconds, atMost: 1),
            Figure("key to last byte, p99", .milliseconds, atMost: 5).pictured,
            Figure("bytes a move", .bytes, atMost: 400),
            Figure("bytes a scroll by one row", .bytes, atMost: 1_500),
          ], Market.Setting(store: .generated(10_000), loadsAll: true), measure: singleKeys),
        Benchmark(
          [
            Figure("200 queued keys", .milliseconds, atMost: 20).pictured,
            Figure("200 queued keys", .bytes, atMost: 30_000),
          ], Market.Setting(store: .generated(10_000), loadsAll: true), measure: queuedKeys),
        Benchmark(
          [Figure("200 queued keys beside the detail", .milliseconds, atMost: 15)],
          Market.Setting(
            store: .generated(10_000), size: TerminalSize(columns: 160, rows: 50), loadsAll: true),
          isCompared: false, measure: queuedKeysAlone),
        Benchmark(
          [Figure("scroll beside the live detail", .bytes, atMost: 6_000)],
          Market.Setting(store: .generated(10_000), size: TerminalSize(columns: 160, rows: 50)),
          isCompared: false, measure: scrollBesideDetail),
      ])
  }

  /// Moves within the first screen, goes on to the last row, and scrolls from there.
  private static func singleKeys(_ subject: Subject) throws -> [Double?] {
    let probe = try Probe(subject)
    try probe.prepare()
    let moves = subject.hasSelection ? bursts(12, probe, subject) : []
    if subject.hasSelection, subject.scrolls { _ = bursts(subject.size.rows, probe, subject) }
    let scrolls = subject.scrolls ? bursts(300, probe, subject) : []
    let times = (moves + scrolls).map(\.milliseconds)
    return [
      times.median, times.quantile(0.99), moves.map { Double($0.byteCount) }.median,
      scrolls.map { Double($0.byteCount) }.median,
    ]
  }

  private static func bursts(_ count: Int, _ probe: Probe, _ subject: Subject) -> [Burst] {
    (0..<count).compactMap { _ in probe.burst(after: subject.down) }
  }

  private static func queuedKeys(_ subject: Subject) throws -> [Double?] {
    let probe = try Probe(subject)
    try probe.prepare()
    let keys = KeyScript(bytes: Array(repeatElement(subject.down.bytes, count: 200).joined()))
    let burst = probe.burst(after: keys, until: .silence(.milliseconds(80)))
    return [burst?.milliseconds, burst.map { Double($0.byteCount) }]
  }

  /// Ends before the detail follows, which does so some time after the last key.
  private static func queuedKeysAlone(_ subject: Subject) throws -> [Double?] {
    [try queuedKeys(subject)[0]]
  }

  /// Includes what the detail sends when it follows, some time after the key.
  private static func scrollBesideDetail(_ subject: Subject) throws -> [Double?] {
    let probe = try Probe(subject)
    try probe.prepare()
    for _ in 0..<subject.size.rows { _ = probe.burst(after: subject.down) }
    probe.settle(.milliseconds(400))
    let bytes = (0..<15).compactMap { _ in
      probe.burst(after: subject.down, until: .silence(.milliseconds(300))).map {
        Double($0.byteCount)
      }
    }
    return [bytes.median]
  }
}

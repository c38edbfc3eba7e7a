import TerminalTestSupport

extension Section {
  /// What a program costs that is only looked at.
  static var rest: Section {
    Section(
      name: "at rest",
      benchmarks: [
        Benchmark(
          [
            Figure("wake-ups in 5 s", .count, atMost: 0),
            Figure("bytes in 5 s", .bytes, atMost: 0),
          ], Market.Setting(store: .generated(60)), measure: idle),
        Benchmark(
          [Figure("memory, text only", .megabytes, atMost: 40).pictured],
          Market.Setting(store: .generated(10_000), loadsAll: true), measure: memory),
      ])
  }

  private static func idle(_ subject: Subject) throws -> [Double?] {
    let probe = try Probe(subject)
    try probe.prepare()
    // Longer than pooled threads of a runtime wait for more work.
    _ = probe.rest(for: .seconds(10))
    let information = ProcessInformation(of: probe.terminal.process)
    let before = information.voluntarySwitches
    let count = probe.rest(for: .seconds(5))
    return [Double(information.wakeUps(since: before)), Double(count)]
  }

  private static func memory(_ subject: Subject) throws -> [Double?] {
    let probe = try Probe(subject)
    try probe.prepare()
    let information = ProcessInformation(of: probe.terminal.process)
    return [information.residentKilobytes.map { Double($0) / 1024 }]
  }
}

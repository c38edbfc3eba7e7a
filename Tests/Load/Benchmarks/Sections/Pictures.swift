import TerminalTestSupport

extension Section {
  private static let grid = Market.Setting(
    store: .pictures, arguments: ["--view", "grid"], size: TerminalSize(columns: 160, rows: 50))

  /// The grid with its pictures.
  static var pictures: Section {
    Section(
      name: "pictures",
      benchmarks: [
        Benchmark(
          [Figure("grid scroll by one row of cards", .milliseconds, atMost: 16).pictured], grid,
          isCompared: false, measure: gridScroll),
        memory(Figure("memory after 5,000 pictures", .megabytes, atMost: 128).pictured, "blocks"),
      ]
        + ["kitty", "sixel", "iterm2"].map {
          memory(Figure("memory after 5,000 pictures, \($0)", .megabytes, atMost: 128), $0)
        })
  }

  /// Goes over the rows once, so that their pictures are in memory, and measures the second time.
  private static func gridScroll(_ subject: Subject) throws -> [Double?] {
    let probe = try Probe(subject)
    try probe.prepare()
    for key: KeyScript in ["j", "k"] {
      for _ in 0..<14 { _ = probe.burst(after: key, until: .silence(.milliseconds(150))) }
    }
    let times = (0..<14).compactMap { _ in
      probe.burst(after: "j", until: .silence(.milliseconds(60)))?.milliseconds
    }
    return [Array(times.dropFirst(6)).median]
  }

  private static func memory(_ figure: Figure, _ method: String) -> Benchmark {
    var setting = grid
    setting.arguments += ["--pictures", method]
    return Benchmark([figure], setting, isCompared: false, measure: memory)
  }

  private static func memory(_ subject: Subject) throws -> [Double?] {
    let probe = try Probe(subject)
    try probe.prepare()
    let cardsAPage = 15
    for _ in 0..<(PictureMarket.productCount / cardsAPage) {
      _ = probe.burst(after: "<PgDn>", until: .silence(.milliseconds(40)))
    }
    let information = ProcessInformation(of: probe.terminal.process)
    return [information.residentKilobytes.map { Double($0) / 1024 }]
  }
}

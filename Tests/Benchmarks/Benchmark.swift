/// One trial, the figures it yields, and who takes part.
struct Benchmark {
  let figures: [Figure]
  /// How the market is started for it.
  let setting: Market.Setting
  /// Whether the other programs are measured as well.
  let isCompared: Bool
  /// Yields one value for each figure; none where the program has no such thing.
  let measure: (Subject) throws -> [Double?]

  init(
    _ figures: [Figure], _ setting: Market.Setting, isCompared: Bool = true,
    measure: @escaping (Subject) throws -> [Double?]
  ) {
    self.figures = figures
    self.setting = setting
    self.isCompared = isCompared
    self.measure = measure
  }

  /// Measures everyone; a program that fails leaves its column empty and a word on standard error.
  func run(market: Market?, others: [Subject]) -> [Report.Row] {
    var rows = figures.map { Report.Row(figure: $0, values: [:]) }
    let ours = market.map { market in { try market.subject(setting) } }
    let theirs = isCompared ? others.map { other in { other } } : []
    for subject in (ours.map { [$0] } ?? []) + theirs {
      do {
        let subject = try subject()
        for (index, value) in try measure(subject).enumerated() {
          rows[index].values[subject.name] = value
        }
      } catch {
        StandardError.print("\(figures[0].name): \(error)")
      }
    }
    return rows
  }
}

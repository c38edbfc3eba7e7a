/// One trial, and the figures it yields.
struct Benchmark {
  let figures: [Figure]
  /// Yields for each figure the values by subject; a subject that has no such thing is left out.
  private let measure: (Bench) async throws -> [[String: Double]]

  init(_ figures: [Figure], measure: @escaping (Bench) async throws -> [[String: Double]]) {
    self.figures = figures
    self.measure = measure
  }

  /// A trial of programs in a terminal.
  ///
  /// - Parameters:
  ///   - figures: what it yields.
  ///   - setting: how the market is started for it.
  ///   - isCompared: whether the other programs are measured as well.
  ///   - measure: yields one value for each figure.
  init(
    _ figures: [Figure], _ setting: Market.Setting, isCompared: Bool = true,
    measure: @escaping (Subject) throws -> [Double?]
  ) {
    self.init(figures) { bench in
      var values = figures.map { _ in [String: Double]() }
      let ours = try bench.market.map { [try $0.subject(setting)] } ?? []
      for subject in ours + (isCompared ? bench.others : []) {
        bench.attempt(figures[0].name) {
          for (index, value) in try measure(subject).enumerated() {
            values[index][subject.name] = value
          }
        }
      }
      return values
    }
  }

  /// Measures; a trial that fails leaves its rows empty and a word on standard error.
  func run(on bench: Bench) async -> [Report.Row] {
    do {
      return zip(figures, try await measure(bench)).map { Report.Row(figure: $0, values: $1) }
    } catch {
      StandardError.print("\(figures[0].name): \(error)")
      return figures.map { Report.Row(figure: $0) }
    }
  }
}

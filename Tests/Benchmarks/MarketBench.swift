import Glibc

/// Measures the program beside other full-screen programs, through the same pseudo terminal in the
/// same run, and prints a table.
@main enum MarketBench {
  static func main() async {
    do {
      let options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp { return print(BenchOptions.help) }
      try await run(options)
    } catch {
      StandardError.print("market-bench: \(error)")
      exit(1)
    }
  }

  private static func run(_ options: BenchOptions) async throws {
    let workbench = try Workbench(directory: options.directory)
    let market = Market(path: options.market, workbench: workbench)
    if market != nil, options.wants(.pictures) {
      try await PictureMarket.make(at: workbench.pictureMarket)
    }
    if market == nil {
      StandardError.print("no program at \(options.market): only others are measured")
    }
    let others = try Comparison.subjects(on: workbench)
    var report = Report(subjects: ["market"] + others.map(\.name))
    for section in Section.all where options.wants(section) {
      for benchmark in section.benchmarks {
        StandardError.print("measuring: \(section.name), \(benchmark.figures[0].name)")
        let rows = benchmark.run(market: market, others: options.comparesOthers ? others : [])
        report.add(rows, to: section.name)
      }
    }
    print(report.table)
    if let path = options.jsonPath { try workbench.write(report.json, to: path) }
  }
}

import Glibc

/// Measures the programs beside others, in the same run, and prints a table.
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
    let bench = try await bench(options)
    defer { bench.workbench.emptyFreshDirectories() }
    var report = Report()
    let terminals = ["market"] + bench.others.map(\.name)
    for section in Section.all where options.wants(section) {
      for benchmark in section.benchmarks {
        StandardError.print("measuring: \(section.name), \(benchmark.figures[0].name)")
        let rows = await benchmark.run(on: bench)
        report.add(rows, to: section.name, of: section.subjects ?? terminals)
      }
    }
    print(report.table)
    if let path = options.jsonPath { try bench.workbench.write(report.json, to: path) }
    if let path = options.svgPath { try bench.workbench.write(BarPicture(report).svg, to: path) }
  }

  private static func bench(_ options: BenchOptions) async throws -> Bench {
    let workbench = try Workbench(directory: options.directory)
    let market = Market(path: options.market, workbench: workbench)
    if market != nil, options.wants(.pictures) {
      try await PictureMarket.make(at: workbench.pictureMarket)
    }
    if market == nil {
      StandardError.print("no program at \(options.market): only others are measured")
    }
    let others = options.comparesOthers ? Comparison.subjects(on: workbench) : []
    return Bench(
      workbench: workbench, market: market, others: others, comparesOthers: options.comparesOthers)
  }
}

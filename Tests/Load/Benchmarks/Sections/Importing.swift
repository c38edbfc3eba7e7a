import Glibc
import TerminalTestSupport

extension Section {
  /// Taking products in from a file, beside sqlite3 with the bare columns.
  static var importing: Section {
    Section(
      name: "import", subjects: ["market", "sqlite3"],
      benchmarks: Size.all.map { size in
        let isMillion = size == .million
        let time = Figure(
          "\(size.text) products with pictures", .seconds, isMillion ? .atMost(60) : nil)
        let file = Figure("file of \(size.text)", .megabytes, isMillion ? .atMost(1_500) : nil)
        return Benchmark(isMillion ? [time.pictured, file.pictured] : [time, file]) { bench in
          try measure(size, bench)
        }
      })
  }

  private static func measure(_ size: Size, _ bench: Bench) throws -> [[String: Double]] {
    let market = try bench.requiredMarket()
    let folder = try bench.workbench.freshDirectory("import")
    defer { bench.workbench.empty(folder) }
    let environment = bench.workbench.environment(home: folder)
    let store = folder + "/market.db"
    let time = try seconds(
      [market.path, "import", try market.exported(size.count, as: "ndjson"), "--store", store],
      environment)
    var times = ["market": time]
    var sizes = ["market": fileMegabytes(store)]
    if bench.comparesOthers, Tool.isInstalled("sqlite3") {
      let table = try market.exported(size.count, as: "csv")
      let plain = folder + "/plain.db"
      times["sqlite3"] = try seconds(
        ["sqlite3", plain, ".import --csv \(table) product"], environment)
      sizes["sqlite3"] = fileMegabytes(plain)
    }
    return [times, sizes.compactMapValues(\.self)]
  }

  private static func seconds(
    _ command: [String], _ environment: [String: String]
  ) throws -> Double {
    let start = ContinuousClock.now
    let run = try PipedRun(command, environment: environment)
    guard run.exit == .exited(status: 0) else {
      throw BenchError.preparationFailed(command[0] + ": " + run.errors)
    }
    return start.duration(to: .now) / .seconds(1)
  }

  private static func fileMegabytes(_ path: String) -> Double? {
    var status = stat()
    return stat(path, &status) == 0 ? Double(status.st_size) / 1_000_000 : nil
  }
}

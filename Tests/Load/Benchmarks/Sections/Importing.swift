import Glibc
import TerminalTestSupport

extension Section {
  /// Taking products in from a file and making test products, beside sqlite3 with the bare columns.
  static var importing: Section {
    Section(
      name: "import", subjects: ["market", "sqlite3"],
      benchmarks: Size.all.map { size in
        let isMillion = size == .million
        let time = isMillion ? Goal.atMost(10, of: "sqlite3") : nil
        let memory = isMillion ? Goal.atMost(128) : nil
        let imported = Figure("\(size.text) products with pictures", .seconds, time)
        let file = Figure(
          "file of \(size.text)", .megabytes, isMillion ? .atMost(1_500) : nil)
        let figures = [
          isMillion ? imported.pictured : imported,
          Figure("\(size.text) products with pictures, memory", .megabytes, memory),
          isMillion ? file.pictured : file,
          Figure("\(size.text) test products", .seconds, time),
          Figure("\(size.text) test products, memory", .megabytes, memory),
        ]
        return Benchmark(figures) { bench in try measure(size, bench) }
      })
  }

  private static func measure(_ size: Size, _ bench: Bench) throws -> [[String: Double]] {
    let market = try bench.requiredMarket()
    let folder = try bench.workbench.freshDirectory("import")
    defer { bench.workbench.empty(folder) }
    let environment = bench.workbench.environment(home: folder)
    let store = folder + "/market.db"
    let imported = try run(
      [market.path, "import", try market.exported(size.count, as: "ndjson"), "--store", store],
      environment)
    let generated = try run(
      [market.path, "generate", String(size.count), "--store", folder + "/test.db"], environment)
    var plain: (seconds: Double, megabytes: Double)?
    var sizes = ["market": fileMegabytes(store)]
    if bench.comparesOthers, Tool.isInstalled("sqlite3") {
      let table = try market.exported(size.count, as: "csv")
      let path = folder + "/plain.db"
      plain = try run(["sqlite3", path, ".import --csv \(table) product"], environment)
      sizes["sqlite3"] = fileMegabytes(path)
    }
    func row(_ value: Double, _ other: Double?) -> [String: Double] {
      ["market": value, "sqlite3": other].compactMapValues(\.self)
    }
    return [
      row(imported.seconds, plain?.seconds), row(imported.megabytes, plain?.megabytes),
      sizes.compactMapValues(\.self), row(generated.seconds, plain?.seconds),
      row(generated.megabytes, plain?.megabytes),
    ]
  }

  /// The seconds that a program takes, and the most memory that it has.
  private static func run(
    _ command: [String], _ environment: [String: String]
  ) throws -> (seconds: Double, megabytes: Double) {
    let start = ContinuousClock.now
    let run = try PipedRun(command, environment: environment, timeout: .seconds(900))
    guard run.exit == .exited(status: 0) else {
      throw BenchError.preparationFailed(command[0] + ": " + run.errors)
    }
    return (start.duration(to: .now) / .seconds(1), Double(run.usage.peakMemoryKilobytes) / 1_000)
  }

  private static func fileMegabytes(_ path: String) -> Double? {
    var status = stat()
    return stat(path, &status) == 0 ? Double(status.st_size) / 1_000_000 : nil
  }
}

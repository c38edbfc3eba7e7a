/// Benchmarks of one aspect, in the order of the table.
struct Section {
  let name: String
  /// Its columns; the programs of the terminal where it names none.
  var subjects: [String]?
  let benchmarks: [Benchmark]
  /// Whether it takes so long that it is run only where it is named.
  var isLong = false

  static var all: [Section] {
    [
      startUp, keys, keeping, form, pictures, blocks, rest, leaving, client, fetching, server,
      pages,
      finding, sharing, endurance, registrations, growth, importing, postgres, writes, edits,
      renamings, largePostgres,
      largeFinding,
    ] + cityFinding
  }
}

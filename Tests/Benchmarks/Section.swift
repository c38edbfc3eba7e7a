/// Benchmarks of one aspect, in the order of the table.
struct Section {
  let name: String
  /// Its columns; the programs of the terminal where it names none.
  var subjects: [String]?
  let benchmarks: [Benchmark]

  static var all: [Section] {
    [startUp, keys, form, pictures, blocks, rest, leaving, client, server, registrations, growth]
  }
}

/// Benchmarks of one aspect, in the order of the table.
struct Section {
  let name: String
  let benchmarks: [Benchmark]

  static var all: [Section] { [startUp, keys, form, pictures, rest, leaving] }
}

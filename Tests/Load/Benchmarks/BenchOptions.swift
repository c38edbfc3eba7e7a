import Glibc

/// What the command line asks for.
struct BenchOptions {
  static let help = """
    usage: market-bench [--json FILE] [--svg FILE] [--section NAME] [--alone] [--market PATH]
                        [--directory PATH]
      --json FILE       write the figures there as well
      --svg FILE        draw the main figures there
      --section NAME    this one, and others that are named so:
    \(Section.all.map { "                          " + $0.name }.joined(separator: "\n"))
      --alone           without the other programs
      --market PATH     the program to measure, with market-server in its folder; the one beside market-bench otherwise
      --directory PATH  where trial stores are made and kept; bench beside the build otherwise
    """

  private(set) var jsonPath: String?
  private(set) var svgPath: String?
  private(set) var sections: Set<String> = []
  private(set) var comparesOthers = true
  private(set) var showsHelp = false
  private(set) var market: String
  private(set) var directory: String

  init(_ arguments: [String]) throws(BenchError) {
    let program = CommandLine.arguments[0]
    let folder = program.lastIndex(of: "/").map { program[..<$0] } ?? "."
    market = folder + "/market"
    directory = folder + "/bench"
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--json": jsonPath = try Self.value(of: option, in: &rest)
      case "--svg": svgPath = try Self.value(of: option, in: &rest)
      case "--section": sections.insert(try Self.value(of: option, in: &rest))
      case "--alone": comparesOthers = false
      case "--market": market = try Self.value(of: option, in: &rest)
      case "--directory": directory = try Self.value(of: option, in: &rest)
      case "--help": showsHelp = true
      default: throw .usage("unknown option \(option)")
      }
    }
    if let unknown = sections.subtracting(Section.all.map(\.name)).first {
      throw .usage("unknown section \(unknown)")
    }
  }

  func wants(_ section: Section) -> Bool {
    sections.isEmpty ? !section.isLong : sections.contains(section.name)
  }

  private static func value(
    of option: String, in rest: inout ArraySlice<String>
  ) throws(BenchError) -> String {
    guard let value = rest.popFirst() else { throw .usage("\(option) needs a value") }
    return value
  }
}

/// Why nothing could be measured.
enum BenchError: Error, CustomStringConvertible {
  case usage(String)
  case cannotWrite(path: String)
  /// A program that prepares a trial failed; carries its errors.
  case preparationFailed(String)
  /// The program did not do what was waited for.
  case noAnswer(String)

  var description: String {
    switch self {
    case .usage(let problem): "\(problem); see --help"
    case .cannotWrite(let path): "cannot write \(path)"
    case .preparationFailed(let errors): "preparing failed: \(errors)"
    case .noAnswer(let what): "in vain: \(what)"
    }
  }
}

/// What one run of the program is to do.
enum Invocation: Hashable {
  case browse(MarketOptions)
  /// Fill a store with products for trials.
  case generate(count: Int, MarketOptions)
  /// Add the sample market to a store.
  case addSample(MarketOptions)
  /// Take the products of a file into a store.
  case importProducts(String, MarketOptions)
  /// Write the products of a store into a file.
  case exportProducts(String, MarketOptions)
  /// Copy a store.
  case backUp(String, MarketOptions)
  /// Start the server program with these words.
  case serve([String])
  /// Print what a bug report needs.
  case doctor(MarketOptions)
  case help(MarketOptions)
  case version

  private static let largestCount = 100_000_000

  /// - Parameters:
  ///   - words: the command line without the program's name.
  ///   - defaults: the options that the settings file states.
  /// - Throws: the first mistake.
  init(_ words: [String], defaults: MarketOptions) throws(CommandLineError) {
    // Everything behind `serve` is for the server program.
    if words.first == "serve" {
      self = .serve(Array(words.dropFirst()))
      return
    }
    var options = defaults
    var arguments = try MarketOptions.parser.parse(words, into: &options)[...]
    if options.showsHelp {
      self = .help(options)
    } else if options.showsVersion {
      self = .version
    } else {
      let command = arguments.popFirst()
      self = try Self.command(command, &arguments, options)
      if let extra = arguments.first { throw .unexpectedArgument(extra) }
    }
  }

  private static func command(
    _ name: String?, _ arguments: inout ArraySlice<String>, _ options: MarketOptions
  ) throws(CommandLineError) -> Invocation {
    switch name {
    case nil: return .browse(options)
    case "sample": return .addSample(options)
    case "doctor": return .doctor(options)
    case "import":
      return .importProducts(try argument("import FILE", &arguments), options)
    case "export":
      return .exportProducts(try argument("export FILE", &arguments), options)
    case "backup":
      return .backUp(try argument("backup FILE", &arguments), options)
    case "generate":
      let word = try argument("generate N", &arguments)
      guard let count = Int(word), (1...largestCount).contains(count) else {
        throw .badValue(option: "generate", value: word, expected: "1-\(largestCount)")
      }
      return .generate(count: count, options)
    case .some(let other): throw .unexpectedArgument(other)
    }
  }

  private static func argument(
    _ usage: String, _ arguments: inout ArraySlice<String>
  ) throws(CommandLineError) -> String {
    guard let word = arguments.popFirst(), !word.isEmpty else { throw .missingArgument(usage) }
    return word
  }
}

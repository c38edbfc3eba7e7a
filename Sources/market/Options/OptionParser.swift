/// Reads a command line by a list of options; everything that is no option is an argument.
struct OptionParser<Target> {
  /// What stood on a command line, in its order.
  struct Words {
    fileprivate(set) var arguments: [String] = []
    /// The options by their long names.
    fileprivate(set) var options: [String] = []
  }

  let options: [Option<Target>]

  /// Changes `target` as the words say.
  ///
  /// - Parameters:
  ///   - words: the command line without the program's name; after `--` all are arguments.
  ///   - target: what the options change.
  /// - Returns: the arguments, and which options there were.
  /// - Throws: the first mistake.
  func parse(_ words: [String], into target: inout Target) throws(CommandLineError) -> Words {
    var parsed = Words()
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        parsed.arguments += rest
        return parsed
      }
      guard word.hasPrefix("-"), word != "-" else {
        parsed.arguments.append(word)
        continue
      }
      parsed.options.append(try apply(word, &rest, to: &target))
    }
    return parsed
  }

  /// - Returns: the option's long name.
  private func apply(
    _ word: String, _ rest: inout ArraySlice<String>, to target: inout Target
  ) throws(CommandLineError) -> String {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = options.first(where: { $0.name == name || $0.letter == name }) else {
      throw .unknownOption(name, meant: Spelling.nearest(to: name, among: options.map(\.name)))
    }
    switch option.effect {
    case .flag(let change):
      guard parts.count == 1 else { throw .badValue(option: name, value: word, expected: name) }
      change(&target)
    case .value(let expected, let change):
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw .missingValue(option.usage)
      }
      guard change(&target, value) else {
        throw .badValue(option: name, value: value, expected: expected)
      }
    }
    return option.name
  }
}

internal import MarketModel
import MarketStrings

/// Commands of a program: the one table for parsing, help, completion and the manual.
package struct CommandTable<Values: CommandValues, Outcome> {
  package let program: String
  package let version: ProgramVersion
  /// Summary of one line, and a paragraph.
  package let title: Phrase
  package let about: Phrase
  /// Commands of this program; `commands` adds those of every program.
  private var ownCommands: [Subcommand<Values, Outcome>]
  /// Options that every command takes.
  package private(set) var everywhere: [Option<Values>]
  /// Examples at the beginning of the help.
  package private(set) var firstExamples: [Example]
  private var makeTopics: () -> [HelpTopic]
  /// Related manual pages.
  package let related: [String]
  /// Values without options on the command line.
  private var defaults: Values
  /// Whether this is the table for ssh guests.
  private(set) var isForGuests = false
  let remembered: () -> [String]
  private let implied: (String) -> String?
  private let hidden: (String) -> String
  private let validate: (inout Values, Subcommand<Values, Outcome>) throws(CommandLineError) -> Void
  private let say: (String) -> Outcome

  /// Creates a table.
  ///
  /// `implied` returns the command for a first word that is no command name; nil for none. `hidden`
  /// removes secrets from a word before an error shows it. `validate` checks all options together before
  /// the command's words are parsed. `say` is the outcome that prints a text.
  package init(
    _ program: String, version: ProgramVersion, _ title: Phrase, _ about: Phrase,
    commands: [Subcommand<Values, Outcome>], everywhere: [Option<Values>],
    firstExamples: [Example], topics: @autoclosure @escaping () -> [HelpTopic], related: [String],
    defaults: Values, remembered: @escaping () -> [String] = { [] },
    implied: @escaping (String) -> String? = { _ in nil }, hidden: @escaping (String) -> String,
    validate:
      @escaping (inout Values, Subcommand<Values, Outcome>) throws(CommandLineError) -> Void =
      {
        _, _ in
      },
    say: @escaping (String) -> Outcome
  ) {
    self.program = program
    self.version = version
    self.title = title
    self.about = about
    ownCommands = commands
    self.everywhere =
      [.flag(HelpOption.help, letter: "-h", .optionHelp).forGuests()] + everywhere
      + [.flag(HelpOption.version, letter: "-V", .optionVersion).forGuests()]
    self.firstExamples = firstExamples
    makeTopics = topics
    self.related = related
    self.defaults = defaults
    self.remembered = remembered
    self.implied = implied
    self.hidden = hidden
    self.validate = validate
    self.say = say
  }

  /// All commands in the order of the help.
  package var commands: [Subcommand<Values, Outcome>] {
    ownCommands + (isForGuests ? Self.forGuests(helpCommands) : helpCommands)
  }

  private static func forGuests(
    _ commands: [Subcommand<Values, Outcome>]
  ) -> [Subcommand<Values, Outcome>] {
    commands.filter { $0.guestPermission != nil }.map { $0.withGuestsOptions() }
  }

  /// Returns the table for ssh guests, with the permitted commands and options and the defaults that
  /// their host has set.
  package func forGuests(defaults: Values) -> CommandTable {
    var table = self
    table.ownCommands = Self.forGuests(ownCommands)
    table.everywhere = everywhere.filter(\.isForGuests)
    table.firstExamples = []
    table.makeTopics = { [] }
    table.defaults = defaults
    table.isForGuests = true
    return table
  }

  /// All options, once for each command that takes them.
  package var options: [Option<Values>] { commands.flatMap(\.options) + everywhere }

  /// Help topics besides commands.
  package var topics: [HelpTopic] { makeTopics() }

  /// Command for a command line without one; nil where the program has none.
  package var byItself: Subcommand<Values, Outcome>? { ownCommands.first { $0.name.isEmpty } }

  /// Parses the arguments of the process.
  ///
  /// - Throws: `.notUTF8` for a word with other bytes; what the other `parse(_:)` throws.
  package func parse(_ start: CommandLineWords) throws(CommandLineError) -> Invocation<
    Values, Outcome
  > {
    if let word = start.broken { throw .notUTF8(hidden(word)) }
    return try parse(start.words)
  }

  /// Parses a command line without the program's name; after `--` no word is an option.
  ///
  /// - Throws: `.unknownOption`, `.optionOfOthers`, `.missingValue` and `.badValue` for options;
  ///   `.unknownCommand`, `.missingArgument`, `.unexpectedArgument` and `.badValue` for words; what
  ///   `validate` or the command itself throws.
  package func parse(_ words: [String]) throws(CommandLineError) -> Invocation<Values, Outcome> {
    if let (command, others) = forwarded(words) {
      var rest = others[...]
      let values = values(speakingAs: words)
      return Invocation(
        command: command, values: values, outcome: try command.prepare(&rest, values))
    }
    var given = try given(words)
    if given.has(HelpOption.help) { return try help(given, speakingAs: words) }
    if given.has(HelpOption.version) {
      return Invocation(command: nil, values: defaults, outcome: say(version.line))
    }
    let command = try takeCommand(&given.arguments)
    var values = try values(given, of: command)
    try validate(&values, command)
    let outcome: Outcome
    do throws(CommandLineError) {
      outcome = try command.prepare(&given.arguments, values)
    } catch {
      throw clean(error)
    }
    if let extra = given.arguments.first { throw .unexpectedArgument(hidden(extra)) }
    return Invocation(command: command, values: values, outcome: outcome)
  }

  /// Returns the command that forwards its words to another program, with all other words; nil for
  /// none; options may precede the command.
  private func forwarded(
    _ words: [String]
  ) -> (command: Subcommand<Values, Outcome>, words: [String])? {
    let others = ownCommands.filter { $0.isForwarded && words.contains($0.name) }
    guard !others.isEmpty else { return nil }
    var known = KnownOptions(self)
    var position = words.startIndex
    while position < words.endIndex {
      if let command = others.first(where: { $0.name == words[position] }) {
        return (command, Array(words[..<position] + words[(position + 1)...]))
      }
      guard let option = known.option(called: words[position]) else {
        guard words[position].hasPrefix("--"), words[position].contains("=") else { return nil }
        position += 1
        continue
      }
      position += option.shape == nil ? 1 : 2
    }
    return nil
  }

  /// Returns the defaults with the language and other values of global options, ignoring errors.
  package func values(speakingAs words: [String]) -> Values {
    var values = defaults
    for option in everywhere where option.shape != nil {
      for (index, word) in words.enumerated() where word.hasPrefix(option.name) {
        let rest = word.dropFirst(option.name.count)
        let value = rest.first == "=" ? String(rest.dropFirst()) : words.dropFirst(index + 1).first
        if rest.isEmpty || rest.first == "=" { _ = option.apply(value, to: &values) }
      }
    }
    return values
  }

  /// Returns the options of a command, in the order of its help.
  func options(of command: Subcommand<Values, Outcome>) -> [Option<Values>] {
    command.options + everywhere
  }

  /// Removes the words of a command's name and returns the command.
  ///
  /// - Throws: `.missingArgument` where no word or only a part of a name is given; `.unknownCommand`
  ///   with the nearest name.
  func takeCommand(
    _ words: inout ArraySlice<String>
  ) throws(CommandLineError) -> Subcommand<Values, Outcome> {
    guard let first = words.first else {
      guard let command = byItself else { throw .missingArgument("COMMAND") }
      return command
    }
    let fitting = commands.filter { !$0.name.isEmpty && words.starts(with: $0.path) }
    if let command = fitting.max(by: { $0.path.count < $1.path.count }) {
      words = words.dropFirst(command.path.count)
      return command
    }
    if let name = implied(first), let command = commands.first(where: { $0.name == name }) {
      return command
    }
    let begun = (1...words.count).last { !self.family(of: words.prefix($0)).isEmpty } ?? 0
    let family = self.family(of: words.prefix(begun))
    if begun == words.count {
      let verbs = family.map { $0.path[begun] }.reduce(into: [String]()) { verbs, verb in
        if !verbs.contains(verb) { verbs.append(verb) }
      }
      throw .missingArgument(words.joined(separator: " ") + " " + verbs.joined(separator: "|"))
    }
    let name = words.prefix(begun + 1).joined(separator: " ")
    let names = begun == 0 ? family.compactMap(\.path.first) : family.map(\.name)
    throw .unknownCommand(hidden(name), meant: Spelling.nearest(to: name, among: names))
  }

  /// Returns the commands whose names begin with these words and are longer.
  func family(of words: some Collection<String>) -> [Subcommand<Values, Outcome>] {
    commands.filter { $0.path.count > words.count && $0.path.starts(with: words) }
  }

  private func help(
    _ given: ParsedArguments, speakingAs words: [String]
  ) throws(CommandLineError) -> Invocation<Values, Outcome> {
    var arguments = given.arguments
    let values = values(speakingAs: words)
    let page = HelpPage(self, values.strings)
    guard !arguments.isEmpty else {
      return Invocation(command: nil, values: values, outcome: say(page.overview))
    }
    if let text = page.text(onFamilyOf: Array(arguments)) {
      return Invocation(command: nil, values: values, outcome: say(text))
    }
    let text = page.text(on: try takeCommand(&arguments))
    return Invocation(command: nil, values: values, outcome: say(text))
  }

  // MARK: Options

  /// Splits a command line into options with their values and other words.
  private func given(_ words: [String]) throws(CommandLineError) -> ParsedArguments {
    var known = KnownOptions(self)
    var given = ParsedArguments()
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        given.arguments += rest
        return given
      }
      guard word.hasPrefix("-"), word != "-" else {
        given.arguments.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = known.option(called: name) else {
        let meant =
          options.first { $0.otherNames.contains(name) }?.name
          ?? Spelling.nearest(to: name, among: options.map(\.name))
        throw .unknownOption(hidden(name), meant: meant)
      }
      let value = parts.count == 2 ? String(parts[1]) : nil
      given.options.append((option.name, try self.value(value, of: option, &rest)))
    }
    return given
  }

  private func value(
    _ attached: String?, of option: Option<Values>, _ rest: inout ArraySlice<String>
  ) throws(CommandLineError) -> String? {
    switch option.argument {
    case .none:
      guard let attached else { return nil }
      throw .badValue(
        option: option.name, value: hidden(option.name + "=" + attached),
        expected: .words(option.name))
    case .toggle: return attached
    case .value:
      guard let value = attached ?? rest.popFirst() else { throw .missingValue(option.usage) }
      return value
    case .optional:
      return attached ?? (rest.first?.hasPrefix("--") == false ? rest.popFirst() : nil)
    }
  }

  private func values(
    _ given: ParsedArguments, of command: Subcommand<Values, Outcome>
  ) throws(CommandLineError) -> Values {
    let taken = options(of: command)
    var values = defaults
    for (name, word) in given.options {
      guard let option = taken.first(where: { $0.name == name }) else {
        let full = [program, command.name].filter { !$0.isEmpty }.joined(separator: " ")
        throw .optionOfOthers(name, command: full)
      }
      guard option.apply(word, to: &values) else {
        throw .badValue(
          option: name, value: hidden(word ?? ""), expected: option.keptShape?.expectation ?? "",
          meant: option.keptShape?.nearest(to: word ?? ""))
      }
    }
    return values
  }

  /// Removes secrets from a `.badValue` error.
  private func clean(_ error: CommandLineError) -> CommandLineError {
    guard case .badValue(let option, let value, let expected, let meant) = error else {
      return error
    }
    return .badValue(option: option, value: hidden(value), expected: expected, meant: meant)
  }

  // MARK: Help

  /// Commands that print help, completion scripts and the manual; every program has them.
  private var helpCommands: [Subcommand<Values, Outcome>] {
    let names = ownCommands.map(\.name).filter { !$0.isEmpty }
    let topics = topics.map(\.name)
    let own = ["help", "completion", "man"]
    let subjects = ValueKind.oneOf(names + own + topics, "COMMAND")
    return [
      Subcommand(
        "help", .groupHelp, .usageHelp, takes: .rest(subjects), options: [],
        examples: [
          Example("\(program) help \(names.first ?? "help")", .exampleHelp),
          Example("\(program) help \(topics.first ?? "help")", .exampleHelpTopic),
        ]
      ) { words, values throws(CommandLineError) in
        say(try HelpPage(self, values.strings).text(on: words))
      }.forGuests(.looking),
      Subcommand(
        "completion", .groupHelp, .usageCompletion, takes: .optional(ValueKind<Shell>.choice),
        options: [],
        examples: [
          Example("eval \"$(\(program) completion bash)\"", .exampleCompletion),
          Example("\(program) completion fish | source", .exampleCompletionFish),
        ]
      ) { shell, _ in
        say((shell ?? .bash).script(for: program))
      },
      Subcommand(
        "man", .groupHelp, .usageManual, options: [],
        examples: [
          Example("\(program) man | man -l -", .exampleManual),
          Example("\(program) man --language ko > \(program).1", .exampleManualKorean),
        ]
      ) { values in
        say(HelpPage(self, values.strings).manual)
      },
    ]
  }
}

/// Options that the table handles itself.
private enum HelpOption {
  static let help = "--help"
  static let version = "--version"
}

/// Options of a table by name, of whichever command.
///
/// Most words are options of the default command or global ones; the others are created only when
/// none of these matches.
private struct KnownOptions<Values: CommandValues, Outcome> {
  private let table: CommandTable<Values, Outcome>
  private var options: [Option<Values>]
  private var areAll = false

  init(_ table: CommandTable<Values, Outcome>) {
    self.table = table
    options = table.everywhere + (table.byItself?.options ?? [])
  }

  mutating func option(called name: String) -> Option<Values>? {
    if let option = options.first(where: { $0.isCalled(name) }) { return option }
    guard !areAll else { return nil }
    options = table.options
    areAll = true
    return option(called: name)
  }
}

/// Command line split into options, by their long names, and other words.
private struct ParsedArguments {
  var options: [(name: String, word: String?)] = []
  var arguments: ArraySlice<String> = []

  func has(_ name: String) -> Bool { options.contains { $0.name == name } }
}

/// Parsed command line.
package struct Invocation<Values: CommandValues, Outcome> {
  /// Nil for `--help` and `--version`.
  package let command: Subcommand<Values, Outcome>?
  package let values: Values
  package let outcome: Outcome
}

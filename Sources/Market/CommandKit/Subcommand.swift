package import MarketModel
import MarketStrings

/// One line of the shell that shows what a command is for.
package struct Example: Hashable, Sendable {
  package let line: String
  package let summary: Phrase

  package init(_ line: String, _ summary: Phrase) {
    self.line = line
    self.summary = summary
  }
}

/// Shape of a command's words without their type.
package struct ParameterShape: Hashable, Sendable {
  /// As usage lines write it: `ID...`.
  package let usage: String
  package let value: ValueShape
  /// Whether more than one word may stand there.
  package let takesMany: Bool

  init(_ usage: String, _ value: ValueShape, takesMany: Bool = false) {
    self.usage = usage
    self.value = value
    self.takesMany = takesMany
  }
}

/// The words that a command takes besides its options.
package struct Parameter<Value> {
  let shape: ParameterShape
  let read: (inout ArraySlice<String>, String) throws(CommandLineError) -> Value

  /// Exactly one word.
  package static func one(_ kind: ValueKind<Value>) -> Parameter {
    Parameter(shape: ParameterShape(kind.placeholder, kind.shape)) {
      words, command throws(CommandLineError) in
      guard let word = words.popFirst(), !word.isEmpty else {
        throw .missingArgument(command + " " + kind.placeholder)
      }
      return try kind.value(of: word, command)
    }
  }

  /// Two words, of which the first one is completed.
  package static func pair<First, Second>(
    _ first: ValueKind<First>, _ second: ValueKind<Second>
  ) -> Parameter where Value == (First, Second) {
    let usage = first.placeholder + " " + second.placeholder
    return Parameter(shape: ParameterShape(usage, first.shape)) {
      words, command throws(CommandLineError) in
      let start = try Parameter<First>.one(first).read(&words, command)
      return (start, try Parameter<Second>.one(second).read(&words, command))
    }
  }

  /// One word or none.
  package static func optional<Wrapped>(
    _ kind: ValueKind<Wrapped>
  ) -> Parameter where Value == Wrapped? {
    Parameter(shape: ParameterShape("[\(kind.placeholder)]", kind.shape)) {
      words, command throws(CommandLineError) in
      guard let word = words.popFirst() else { return nil }
      return try kind.value(of: word, command)
    }
  }

  /// One word or more.
  package static func several<Element>(
    _ kind: ValueKind<Element>
  ) -> Parameter where Value == [Element] {
    Parameter(
      shape: ParameterShape(kind.placeholder + "...", kind.shape, takesMany: true)
    ) {
      words, command throws(CommandLineError) in
      guard !words.isEmpty else {
        throw .missingArgument(command + " " + kind.placeholder + "...")
      }
      var values: [Element] = []
      while let word = words.popFirst() { values.append(try kind.value(of: word, command)) }
      return values
    }
  }

  /// As many words as there are, also none.
  package static func anyNumber<Element>(
    _ kind: ValueKind<Element>
  ) -> Parameter where Value == [Element] {
    Parameter(
      shape: ParameterShape("[\(kind.placeholder)...]", kind.shape, takesMany: true)
    ) { words, command throws(CommandLineError) in
      var values: [Element] = []
      while let word = words.popFirst() { values.append(try kind.value(of: word, command)) }
      return values
    }
  }

  /// All that is left.
  package static func rest(_ kind: ValueKind<String>) -> Parameter where Value == [String] {
    Parameter(shape: ParameterShape("[\(kind.placeholder)]", kind.shape, takesMany: true)) {
      words, _ throws(CommandLineError) in
      defer { words = [] }
      return Array(words)
    }
  }
}

/// One command of a program: how it is written, what it is for, and what runs.
///
/// `Outcome` is what the program does with it in the end.
package struct Subcommand<Values: CommandValues, Outcome> {
  /// The words that name it, such as `data export`; none is what the program does by itself.
  package let name: String
  /// The heading that it stands under.
  package let group: Phrase
  package let summary: Phrase
  /// The words behind the name; nil where there are none.
  package let parameter: ParameterShape?
  // Options and examples are made when they are asked for: a start asks for those of one command.
  private var makeOptions: () -> [Option<Values>]
  private let makeExamples: () -> [Example]
  /// Whether all words behind its name are for another program.
  package let isForwarded: Bool
  /// Right that guests over ssh need to run it; nil is that none may.
  package private(set) var guestPermission: GuestPermission?
  let prepare: (inout ArraySlice<String>, Values) throws(CommandLineError) -> Outcome

  /// A command that takes options alone.
  package init(
    _ name: String, _ group: Phrase, _ summary: Phrase,
    options: @autoclosure @escaping () -> [Option<Values>],
    examples: @autoclosure @escaping () -> [Example],
    run: @escaping (Values) throws(CommandLineError) -> Outcome
  ) {
    self.init(name, group, summary, nil, options, examples, isForwarded: false) {
      _, values throws(CommandLineError) in try run(values)
    }
  }

  /// A command that takes words besides.
  package init<Value>(
    _ name: String, _ group: Phrase, _ summary: Phrase, takes parameter: Parameter<Value>,
    options: @autoclosure @escaping () -> [Option<Values>],
    examples: @autoclosure @escaping () -> [Example],
    run: @escaping (Value, Values) throws(CommandLineError) -> Outcome
  ) {
    self.init(
      name, group, summary, parameter.shape, options, examples, isForwarded: false
    ) { words, values throws(CommandLineError) in
      try run(try parameter.read(&words, name), values)
    }
  }

  /// A command that hands all words behind its name to another program.
  package init(
    _ name: String, _ group: Phrase, _ summary: Phrase,
    examples: @autoclosure @escaping () -> [Example],
    forward: @escaping ([String], Values) -> Outcome
  ) {
    self.init(
      name, group, summary, nil, { [] }, examples, isForwarded: true,
      prepare: { words, values throws(CommandLineError) in
        defer { words = [] }
        return forward(Array(words), values)
      })
  }

  private init(
    _ name: String, _ group: Phrase, _ summary: Phrase, _ parameter: ParameterShape?,
    _ options: @escaping () -> [Option<Values>], _ examples: @escaping () -> [Example],
    isForwarded: Bool,
    prepare: @escaping (inout ArraySlice<String>, Values) throws(CommandLineError) -> Outcome
  ) {
    self.name = name
    self.group = group
    self.summary = summary
    self.parameter = parameter
    makeOptions = options
    makeExamples = examples
    self.isForwarded = isForwarded
    self.prepare = prepare
  }

  /// The same command, which guests over ssh may run too.
  package func forGuests(_ right: GuestPermission) -> Subcommand {
    var command = self
    command.guestPermission = right
    return command
  }

  /// The same command with no options but those of guests.
  func withGuestsOptions() -> Subcommand {
    var command = self
    command.makeOptions = { [makeOptions] in makeOptions().filter(\.isForGuests) }
    return command
  }

  package var options: [Option<Values>] { makeOptions() }
  package var examples: [Example] { makeExamples() }

  /// The words of its name.
  package var path: [String] { name.split(separator: " ").map(String.init) }

  /// The name and the words behind it: `show ID`.
  package var usage: String {
    [name, parameter?.usage ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Whether an option of this name means something to it.
  package func takes(_ option: String) -> Bool { options.contains { $0.name == option } }
}

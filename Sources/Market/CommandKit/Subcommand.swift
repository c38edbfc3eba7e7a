package import MarketModel
import MarketStrings

/// Example of a command, as a line of the shell.
package struct Example: Hashable, Sendable {
  package let line: String
  package let summary: Phrase

  package init(_ line: String, _ summary: Phrase) {
    self.line = line
    self.summary = summary
  }
}

/// Shape of a command's arguments without their type.
package struct ParameterShape: Hashable, Sendable {
  /// Text of usage lines: `ID...`.
  package let usage: String
  package let value: ValueShape
  /// Whether several words are allowed.
  package var takesMany = false
}

/// Arguments of a command besides its options.
package struct Parameter<Value> {
  let shape: ParameterShape
  let read: (inout ArraySlice<String>, String) throws(CommandLineError) -> Value

  /// Exactly one word; its parser throws `.missingArgument` for none and `.badValue` for an invalid
  /// one.
  package static func one(_ kind: ValueKind<Value>) -> Parameter {
    Parameter(shape: ParameterShape(usage: kind.shape.placeholder, value: kind.shape)) {
      words, command throws(CommandLineError) in
      guard let word = words.popFirst(), !word.isEmpty else {
        throw .missingArgument(command + " " + kind.shape.placeholder)
      }
      return try kind.value(of: word, command)
    }
  }

  /// Two words, of which the first has completions.
  package static func pair<First, Second>(
    _ first: ValueKind<First>, _ second: ValueKind<Second>
  ) -> Parameter where Value == (First, Second) {
    let usage = first.shape.placeholder + " " + second.shape.placeholder
    return Parameter(shape: ParameterShape(usage: usage, value: first.shape)) {
      words, command throws(CommandLineError) in
      let start = try Parameter<First>.one(first).read(&words, command)
      return (start, try Parameter<Second>.one(second).read(&words, command))
    }
  }

  /// One word or none; nil without one.
  package static func optional<Wrapped>(
    _ kind: ValueKind<Wrapped>
  ) -> Parameter where Value == Wrapped? {
    Parameter(shape: ParameterShape(usage: "[\(kind.shape.placeholder)]", value: kind.shape)) {
      words, command throws(CommandLineError) in
      guard let word = words.popFirst() else { return nil }
      return try kind.value(of: word, command)
    }
  }

  /// One or more words; its parser throws `.missingArgument` for none.
  package static func several<Element>(
    _ kind: ValueKind<Element>
  ) -> Parameter where Value == [Element] {
    Parameter(
      shape: ParameterShape(
        usage: kind.shape.placeholder + "...", value: kind.shape, takesMany: true)
    ) {
      words, command throws(CommandLineError) in
      guard !words.isEmpty else {
        throw .missingArgument(command + " " + kind.shape.placeholder + "...")
      }
      var values: [Element] = []
      while let word = words.popFirst() { values.append(try kind.value(of: word, command)) }
      return values
    }
  }

  /// Any number of words.
  package static func anyNumber<Element>(
    _ kind: ValueKind<Element>
  ) -> Parameter where Value == [Element] {
    Parameter(
      shape: ParameterShape(
        usage: "[\(kind.shape.placeholder)...]", value: kind.shape, takesMany: true)
    ) { words, command throws(CommandLineError) in
      var values: [Element] = []
      while let word = words.popFirst() { values.append(try kind.value(of: word, command)) }
      return values
    }
  }

  /// All remaining words, unchecked.
  package static func rest(_ kind: ValueKind<String>) -> Parameter where Value == [String] {
    Parameter(
      shape: ParameterShape(
        usage: "[\(kind.shape.placeholder)]", value: kind.shape, takesMany: true)
    ) {
      words, _ throws(CommandLineError) in
      defer { words = [] }
      return Array(words)
    }
  }
}

/// Command of a program: its name, summary, arguments and action (`Outcome`).
package struct Subcommand<Values: CommandValues, Outcome> {
  /// Name, such as `data export`; empty for the default command.
  package let name: String
  /// Heading of its group in the help.
  package let group: Phrase
  package let summary: Phrase
  /// Its arguments; nil for none.
  package let parameter: ParameterShape?
  // Created on demand: a run needs those of one command only.
  private var makeOptions: () -> [Option<Values>]
  private let makeExamples: () -> [Example]
  /// Whether all words after its name go to another program.
  package let isForwarded: Bool
  /// Permission that ssh guests need to run it; nil where no guest may.
  package private(set) var guestPermission: GuestPermission?
  let prepare: (inout ArraySlice<String>, Values) throws(CommandLineError) -> Outcome

  /// Creates a command with options only.
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

  /// Creates a command with arguments.
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

  /// Creates a command that forwards all words after its name to another program.
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

  /// Returns the command as one that ssh guests with this permission may run.
  package func forGuests(_ right: GuestPermission) -> Subcommand {
    var command = self
    command.guestPermission = right
    return command
  }

  /// Returns the command with only the options of ssh guests.
  func withGuestsOptions() -> Subcommand {
    var command = self
    command.makeOptions = { [makeOptions] in makeOptions().filter(\.isForGuests) }
    return command
  }

  package var options: [Option<Values>] { makeOptions() }
  package var examples: [Example] { makeExamples() }

  package var path: [String] { name.split(separator: " ").map(String.init) }

  /// Name and arguments: `show ID`.
  package var usage: String {
    [name, parameter?.usage ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Whether the command has an option of this name.
  package func takes(_ option: String) -> Bool { options.contains { $0.name == option } }
}

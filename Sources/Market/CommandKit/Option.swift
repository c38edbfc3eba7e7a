import MarketStrings

/// Typed values that the options of a program set.
package protocol CommandValues {
  /// The values that hold unless an option says otherwise.
  init()
  /// The texts in the language that the options ask for.
  var strings: Strings { get }
}

/// One option of a program: how it is written, what it takes, and which value it sets.
package struct Option<Values: CommandValues> {
  /// Argument of an option.
  package enum Argument: Hashable, Sendable {
    case none
    case value(ValueShape)
    /// A value that may be left out.
    case optional(ValueShape)
    /// Something that is on or off; `=false` switches off what the settings have switched on.
    case toggle
  }

  /// With its two dashes.
  package let name: String
  /// Another name of one letter, with its dash.
  package let letter: String?
  package let summary: Phrase
  // Both are made when they are asked for: few of the options are given, and only help and completion tell
  // the standard values.
  private let makeArgument: () -> Argument
  private var makeStandard: () -> String? = { nil }
  /// Whether it may stand in the settings file.
  package let isKept: Bool
  /// Whether it may stand more than once.
  package let isRepeated: Bool
  /// Whether guests over ssh may give it.
  package private(set) var isForGuests = false
  /// Names that earlier versions gave it: read as its own, and shown nowhere.
  package private(set) var formerNames: [String] = []
  /// Names that other programs give it, by which a mistake finds it.
  private(set) var otherNames: [String] = []
  private let set: (inout Values, String?) -> Bool
  private let get: (Values) -> String?

  /// An option without a value.
  package static func flag(
    _ name: String, letter: String? = nil, _ summary: Phrase,
    set: @escaping (inout Values) -> Void = { _ in }
  ) -> Option {
    Option(
      name: name, letter: letter, summary: summary, makeArgument: { .none }, isKept: false,
      isRepeated: false,
      set: { values, _ in
        set(&values)
        return true
      }, get: { _ in nil })
  }

  /// An option that is on or off.
  package static func toggle(
    _ name: String, _ summary: Phrase,
    to path: @autoclosure @escaping () -> WritableKeyPath<Values, Bool>, isKept: Bool = false
  ) -> Option {
    Option(
      name: name, letter: nil, summary: summary, makeArgument: { .toggle }, isKept: isKept,
      isRepeated: false,
      set: { values, word in
        guard let isOn = Bool(word ?? "true") else { return false }
        values[keyPath: path()] = isOn
        return true
      }, get: { String($0[keyPath: path()]) })
  }

  /// An option that sets a value, which is there without it too.
  package static func value<Value>(
    _ name: String, _ summary: Phrase, _ kind: @autoclosure @escaping () -> ValueKind<Value>,
    to path: @autoclosure @escaping () -> WritableKeyPath<Values, Value>, isKept: Bool = false
  ) -> Option {
    .value(
      name, summary, kind(), isKept: isKept, standard: kind().written(Values()[keyPath: path()]),
      get: { kind().written($0[keyPath: path()]) }, set: { $0[keyPath: path()] = $1 })
  }

  /// An option that sets a value, which is absent without it.
  package static func value<Value>(
    _ name: String, _ summary: Phrase, _ kind: @autoclosure @escaping () -> ValueKind<Value>,
    to path: @autoclosure @escaping () -> WritableKeyPath<Values, Value?>, isKept: Bool = false
  ) -> Option {
    .value(
      name, summary, kind(), isKept: isKept, get: { $0[keyPath: path()].map(kind().written) },
      set: { $0[keyPath: path()] = $1 })
  }

  package static func value<Value>(
    _ name: String, _ summary: Phrase, _ kind: @autoclosure @escaping () -> ValueKind<Value>,
    isKept: Bool = false,
    isRepeated: Bool = false, standard: @autoclosure @escaping () -> String? = nil,
    get: @escaping (Values) -> String? = { _ in nil },
    set: @escaping (inout Values, Value) -> Void
  ) -> Option {
    Option(
      name: name, letter: nil, summary: summary, makeArgument: { .value(kind().shape) },
      makeStandard: standard, isKept: isKept, isRepeated: isRepeated,
      set: { values, word in
        guard let value = word.flatMap(kind().read) else { return false }
        set(&values, value)
        return true
      }, get: get)
  }

  /// An option whose value may be left out; it is nil then.
  package static func optional<Value>(
    _ name: String, _ summary: Phrase, _ kind: @autoclosure @escaping () -> ValueKind<Value>,
    set: @escaping (inout Values, Value?) -> Void
  ) -> Option {
    Option(
      name: name, letter: nil, summary: summary, makeArgument: { .optional(kind().shape) },
      isKept: false, isRepeated: false,
      set: { values, word in
        let value = word.flatMap(kind().read)
        if word != nil, value == nil { return false }
        set(&values, value)
        return true
      }, get: { _ in nil })
  }

  package var argument: Argument { makeArgument() }

  /// Value that holds without the option; nil where there is none.
  package var standard: String? { makeStandard() }

  /// The same option, which guests over ssh may give too.
  package func forGuests() -> Option {
    var option = self
    option.isForGuests = true
    return option
  }

  /// Returns the option with names that it had in earlier versions.
  package func formerly(_ names: String...) -> Option {
    var option = self
    option.formerNames = names
    return option
  }

  /// Returns the option with names that people try in its place.
  package func mistaken(for names: String...) -> Option {
    var option = self
    option.otherNames = names
    return option
  }

  /// Whether a word of the command line names it, by a name of today or of earlier versions.
  package func isCalled(_ word: String) -> Bool {
    name == word || letter == word || formerNames.contains(word)
  }

  /// As usage lines write it: `--store PATH`.
  package var usage: String {
    switch argument {
    case .none, .toggle: [letter, name].compactMap(\.self).joined(separator: ", ")
    case .value(let shape): name + " " + shape.placeholder
    case .optional(let shape): name + " [\(shape.placeholder)]"
    }
  }

  /// Shape of the word behind it; nil where it takes none.
  package var shape: ValueShape? {
    switch argument {
    case .none, .toggle: nil
    case .value(let shape), .optional(let shape): shape
    }
  }

  /// Shape of its value as the settings file takes it; nil where it has none.
  package var keptShape: ValueShape? {
    argument == .toggle ? ValueKind.oneOf(["true", "false"]).shape : shape
  }

  /// Its value as it would be read; nil where there is none.
  package func value(in values: Values) -> String? { get(values) }

  /// Sets the option's value; false where the word is none of those that are allowed.
  package func apply(_ word: String?, to values: inout Values) -> Bool { set(&values, word) }
}

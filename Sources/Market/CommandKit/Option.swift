import MarketStrings

/// Values that the options of a program set.
package protocol CommandValues {
  /// Creates the values without any option.
  init()
  /// Texts in the selected language.
  var strings: Strings { get }
}

/// Option of a program: its spelling, its argument, and the value that it sets.
package struct Option<Values: CommandValues> {
  package enum Argument: Hashable, Sendable {
    case none
    case value(ValueShape)
    /// A value that may be omitted.
    case optional(ValueShape)
    /// On or off; `=false` turns off what the settings turned on.
    case toggle
  }

  /// Long name, with two dashes.
  package let name: String
  /// Short name, with its dash; nil for none.
  package let letter: String?
  package let summary: Phrase
  // Created on demand: a command line has few of the options, and only help and completion show
  // default values.
  private let makeArgument: () -> Argument
  private var makeStandard: () -> String? = { nil }
  /// Whether the settings file may contain it.
  package let isKept: Bool
  /// Whether it may occur more than once.
  package let isRepeated: Bool
  /// Whether ssh guests may use it.
  package private(set) var isForGuests = false
  /// Names in other programs, for suggestions after an error.
  private(set) var otherNames: [String] = []
  private let set: (inout Values, String?) -> Bool
  private let get: (Values) -> String?

  /// Creates an option without a value.
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

  /// Creates an option that is on or off.
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

  /// Creates an option for a value with a default.
  package static func value<Value>(
    _ name: String, _ summary: Phrase, _ kind: @autoclosure @escaping () -> ValueKind<Value>,
    to path: @autoclosure @escaping () -> WritableKeyPath<Values, Value>, isKept: Bool = false
  ) -> Option {
    .value(
      name, summary, kind(), isKept: isKept, standard: kind().written(Values()[keyPath: path()]),
      get: { kind().written($0[keyPath: path()]) }, set: { $0[keyPath: path()] = $1 })
  }

  /// Creates an option for a value that is nil without it.
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

  /// Creates an option whose value may be omitted, which is nil then.
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

  /// Default value; nil for none.
  package var standard: String? { makeStandard() }

  /// Returns the option as one that ssh guests may use.
  package func forGuests() -> Option {
    var option = self
    option.isForGuests = true
    return option
  }

  /// Returns the option with names that users may confuse with it.
  package func mistaken(for names: String...) -> Option {
    var option = self
    option.otherNames = names
    return option
  }

  /// Whether a word is one of its names.
  package func isCalled(_ word: String) -> Bool { name == word || letter == word }

  /// Text of usage lines: `--store PATH`.
  package var usage: String {
    switch argument {
    case .none, .toggle: [letter, name].compactMap(\.self).joined(separator: ", ")
    case .value(let shape): name + " " + shape.placeholder
    case .optional(let shape): name + " [\(shape.placeholder)]"
    }
  }

  /// Shape of its value; nil for an option without one.
  package var shape: ValueShape? {
    switch argument {
    case .none, .toggle: nil
    case .value(let shape), .optional(let shape): shape
    }
  }

  /// Shape of its value in the settings file; nil for an option without one.
  package var keptShape: ValueShape? {
    argument == .toggle ? ValueKind.oneOf(["true", "false"]).shape : shape
  }

  /// Returns its value as it is parsed; nil for none.
  package func value(in values: Values) -> String? { get(values) }

  /// Sets its value; false where the word is invalid.
  package func apply(_ word: String?, to values: inout Values) -> Bool { set(&values, word) }
}

import MarketStrings
import MarketViews

/// One option of the command line: how it is written, what it takes, and what it does.
struct Option<Target> {
  /// What an option takes behind it.
  enum Effect {
    case flag((inout Target) -> Void)
    /// A value; false where it is none of those that are allowed.
    case value(String, (inout Target, String) -> Bool)
  }

  /// With its two dashes.
  let name: String
  /// Another name of one letter, with its dash.
  var letter: String?
  let effect: Effect
  /// The line of the help text.
  let summary: Phrase

  static func flag(
    _ name: String, letter: String? = nil, _ summary: Phrase,
    _ change: @escaping (inout Target) -> Void
  ) -> Option {
    Option(name: name, letter: letter, effect: .flag(change), summary: summary)
  }

  /// An option with a value that stands behind it or after an equals sign.
  static func value(
    _ name: String, _ placeholder: String, _ summary: Phrase,
    _ change: @escaping (inout Target, String) -> Bool
  ) -> Option {
    Option(name: name, effect: .value(placeholder, change), summary: summary)
  }

  /// A value that is one of an enumeration's raw values.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ summary: Phrase, _ path: WritableKeyPath<Target, Choice>
  ) -> Option {
    let names = Choice.allCases.map(\.rawValue).joined(separator: "|")
    return value(name, names, summary) { target, text in
      guard let choice = Choice(rawValue: text) else { return false }
      target[keyPath: path] = choice
      return true
    }
  }

  /// As the help text writes it: `--store PATH`.
  var usage: String {
    switch effect {
    case .flag: [letter, name].compactMap(\.self).joined(separator: ", ")
    case .value(let placeholder, _): name + " " + placeholder
    }
  }
}

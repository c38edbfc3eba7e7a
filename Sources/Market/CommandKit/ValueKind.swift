import MarketStrings
import SafeTextKit

/// Kind of value of an option or argument: its parser, formatter, completions and description.
package struct ValueKind<Value> {
  /// Everything but the type.
  package private(set) var shape: ValueShape
  /// Parses a word; nil where it is invalid.
  package let read: (String) -> Value?
  /// Formats a value as it is parsed.
  package let written: (Value) -> String

  package init(
    _ placeholder: String, expected: String? = nil, expectation: Expectation? = nil,
    suggestions: Suggestions = .none, read: @escaping (String) -> Value?,
    written: @escaping (Value) -> String
  ) {
    shape = ValueShape(
      placeholder: placeholder, expected: expected ?? placeholder, expectation: expectation,
      suggestions: suggestions)
    (self.read, self.written) = (read, written)
  }

  /// Returns the kind with another description of valid values.
  package func expecting(_ phrase: Phrase, _ values: String...) -> ValueKind {
    var kind = self
    kind.shape.expectation = .phrase(phrase, values)
    return kind
  }

  /// Parses a word of the command line.
  ///
  /// - Throws: `.badValue` with the nearest valid word.
  func value(of word: String, _ command: String) throws(CommandLineError) -> Value {
    guard let value = read(word) else {
      throw .badValue(
        option: command, value: word, expected: shape.expectation, meant: shape.nearest(to: word))
    }
    return value
  }
}

/// Description of valid values, for the message about an invalid one.
package enum Expectation: Hashable, Sendable, ExpressibleByStringLiteral {
  /// Words to choose from, or an example.
  case words(String)
  /// Phrase with its values.
  case phrase(Phrase, [String])

  package init(stringLiteral text: String) { self = .words(text) }

  package func text(_ strings: Strings) -> SafeText {
    switch self {
    case .words(let words): SafeText(words)
    case .phrase(let phrase, let values): strings(phrase, of: values.map { SafeText($0) })
    }
  }
}

/// Completions of a value.
package enum Suggestions: Hashable, Sendable {
  case none
  case words([String])
  case files
  /// Names known only at run time, such as those of servers.
  case remembered
}

/// Shape of a value: what a value kind says without its type.
package struct ValueShape: Hashable, Sendable {
  /// Text of usage lines: `FILE`, `auto|ko|en`.
  package let placeholder: String
  /// Valid values, for help and settings.
  package let expected: String
  /// Valid values, for the message about an invalid one.
  package fileprivate(set) var expectation: Expectation
  package let suggestions: Suggestions

  package init(
    placeholder: String, expected: String, expectation: Expectation? = nil,
    suggestions: Suggestions
  ) {
    (self.placeholder, self.expected) = (placeholder, expected)
    (self.expectation, self.suggestions) = (expectation ?? .words(expected), suggestions)
  }

  /// Returns the valid word nearest to an invalid one; nil for none.
  package func nearest(to word: String) -> String? {
    guard case .words(let words) = suggestions else { return nil }
    return Spelling.nearest(to: word, among: words)
  }
}

extension ValueKind<String> {
  /// Any text, including an empty one.
  package static func text(_ placeholder: String) -> ValueKind {
    ValueKind(placeholder, read: { $0 }, written: { $0 })
  }

  /// Non-empty text.
  package static func word(
    _ placeholder: String, suggestions: Suggestions = .none,
    where isAllowed: @escaping (String) -> Bool = { _ in true }
  ) -> ValueKind {
    ValueKind(
      placeholder, expectation: .phrase(.expectedWord, []), suggestions: suggestions,
      read: { !$0.isEmpty && isAllowed($0) ? $0 : nil }, written: { $0 })
  }

  package static func file(_ placeholder: String = "FILE") -> ValueKind {
    word(placeholder, suggestions: .files).expecting(.expectedFile)
  }

  /// One of these words.
  package static func oneOf(_ words: [String], _ placeholder: String? = nil) -> ValueKind {
    ValueKind(
      placeholder ?? words.joined(separator: "|"), expected: words.joined(separator: "|"),
      suggestions: .words(words),
      read: { words.contains($0) ? $0 : nil }, written: { $0 })
  }
}

extension ValueKind where Value: RawRepresentable<String> & CaseIterable {
  /// Raw value of an enumeration.
  package static var choice: ValueKind {
    let words = Value.allCases.map(\.rawValue)
    return ValueKind(
      words.joined(separator: "|"), suggestions: .words(words), read: { Value(rawValue: $0) },
      written: { $0.rawValue })
  }
}

extension ValueKind where Value: FixedWidthInteger {
  /// Number within a range.
  package static func number(
    _ placeholder: String, in range: ClosedRange<Value>, expected: String? = nil
  ) -> ValueKind {
    let (low, high) = (String(range.lowerBound), String(range.upperBound))
    return ValueKind(
      placeholder, expected: expected,
      expectation: range.upperBound == .max
        ? .phrase(.expectedNumberFrom, [low]) : .phrase(.expectedNumber, [low, high]),
      read: { Value($0).flatMap { range.contains($0) ? $0 : nil } }, written: { String($0) })
  }
}

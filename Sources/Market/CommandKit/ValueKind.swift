import MarketStrings
import SafeTextKit

/// Kind of value that an option or an argument takes: how it is read, written, completed and told.
package struct ValueKind<Value> {
  /// As usage lines write it: `FILE`, `auto|ko|en`.
  package let placeholder: String
  /// Allowed values as help and settings write them.
  package let expected: String
  /// Allowed values as the sentence about a wrong one says them.
  package private(set) var expectation: Expectation
  package let suggestions: Suggestions
  /// Reads a word; nil where it is none of those that are allowed.
  package private(set) var read: (String) -> Value?
  /// Writes a value as it would be read.
  package let written: (Value) -> String

  package init(
    _ placeholder: String, expected: String? = nil, expectation: Expectation? = nil,
    suggestions: Suggestions = .none, read: @escaping (String) -> Value?,
    written: @escaping (Value) -> String
  ) {
    self.placeholder = placeholder
    self.expected = expected ?? placeholder
    self.expectation = expectation ?? .words(self.expected)
    self.suggestions = suggestions
    self.read = read
    self.written = written
  }

  var shape: ValueShape {
    ValueShape(
      placeholder: placeholder, expected: expected, expectation: expectation,
      suggestions: suggestions)
  }

  /// Returns the kind with another sentence about what it takes.
  package func expecting(_ phrase: Phrase, _ values: String...) -> ValueKind {
    var kind = self
    kind.expectation = .phrase(phrase, values)
    return kind
  }

  /// Returns the kind with words of earlier versions, each of which is read as one of today.
  package func formerly(_ words: KeyValuePairs<String, String>) -> ValueKind {
    var kind = self
    kind.read = { [read] word in read(words.first { $0.key == word }?.value ?? word) }
    return kind
  }

  /// The value of a word on the command line, or the mistake that it is.
  func value(of word: String, _ command: String) throws(CommandLineError) -> Value {
    guard let value = read(word) else {
      throw .badValue(
        option: command, value: word, expected: expectation, meant: shape.nearest(to: word))
    }
    return value
  }
}

/// What a value has to be, as the sentence about a wrong one says it.
package enum Expectation: Hashable, Sendable, ExpressibleByStringLiteral {
  /// Words to choose from, or an example.
  case words(String)
  /// A description with its values.
  case phrase(Phrase, [String])

  package init(stringLiteral text: String) { self = .words(text) }

  package func text(_ strings: Strings) -> SafeText {
    switch self {
    case .words(let words): SafeText(words)
    case .phrase(let phrase, let values): strings(phrase, of: values.map { SafeText($0) })
    }
  }
}

/// Suggestions of completion in the place of a value.
package enum Suggestions: Hashable, Sendable {
  case none
  case words([String])
  case files
  /// Names that the program knows only when it runs, such as those of servers.
  case remembered
}

/// Shape of a value's kind without its type.
package struct ValueShape: Hashable, Sendable {
  package let placeholder: String
  package let expected: String
  package let expectation: Expectation
  package let suggestions: Suggestions

  package init(
    placeholder: String, expected: String, expectation: Expectation? = nil,
    suggestions: Suggestions
  ) {
    self.placeholder = placeholder
    self.expected = expected
    self.expectation = expectation ?? .words(expected)
    self.suggestions = suggestions
  }

  /// The nearest of the allowed words to one that is not allowed.
  package func nearest(to word: String) -> String? {
    guard case .words(let words) = suggestions else { return nil }
    return Spelling.nearest(to: word, among: words)
  }
}

extension ValueKind<String> {
  /// Any text, even none.
  package static func text(_ placeholder: String) -> ValueKind {
    ValueKind(placeholder, read: { $0 }, written: { $0 })
  }

  /// A text of at least one character.
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

  /// One of some words.
  package static func oneOf(_ words: [String], _ placeholder: String? = nil) -> ValueKind {
    ValueKind(
      placeholder ?? words.joined(separator: "|"), expected: words.joined(separator: "|"),
      suggestions: .words(words),
      read: { words.contains($0) ? $0 : nil }, written: { $0 })
  }
}

extension ValueKind where Value: RawRepresentable<String> & CaseIterable {
  /// One of an enumeration's raw values.
  package static var choice: ValueKind {
    let words = Value.allCases.map(\.rawValue)
    return ValueKind(
      words.joined(separator: "|"), suggestions: .words(words), read: { Value(rawValue: $0) },
      written: { $0.rawValue })
  }
}

extension ValueKind where Value: FixedWidthInteger {
  /// A number within bounds.
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

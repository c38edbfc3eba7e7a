/// One line of text that can be drawn in a terminal, with its width in cells.
///
/// It is in NFC and holds no control, escape, bidi or invisible character, nothing unassigned, at
/// most four marks on a character, and only characters on whose width terminals agree: emoji
/// sequences are taken apart, flags become their two letters. What was removed for being deceptive
/// or unreadable is shown as U+FFFD. Making safe text of safe text changes nothing.
package struct SafeText: Hashable, Sendable {
  package let string: String

  /// Width in terminal cells.
  package let columns: Int

  package static let empty = SafeText(safe: "", columns: 0)

  /// - Parameter foreign: text from anywhere; its line breaks and tabs become spaces.
  package init(_ foreign: String) {
    if let columns = Self.plainColumns(foreign) {
      self.init(safe: foreign, columns: columns)
    } else {
      self = Sanitizer.sanitize(foreign)
    }
  }

  package init(_ number: some BinaryInteger) {
    let digits = String(number)
    self.init(safe: digits, columns: digits.utf8.count)
  }

  /// - Parameters:
  ///   - string: text that is known to be safe.
  ///   - columns: its width.
  init(safe string: String, columns: Int) {
    self.string = string
    self.columns = columns
  }

  package var isEmpty: Bool { string.isEmpty }

  /// The width of text that needs no change, or nil.
  private static func plainColumns(_ text: String) -> Int? {
    if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text.utf8.count }
    var columns = 0
    for scalar in text.unicodeScalars {
      guard let width = scalar.plainWidth else { return nil }
      columns += width
    }
    return columns
  }
}

extension SafeText: CustomStringConvertible {
  package var description: String { string }
}

extension SafeText: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(value)
  }
}

extension SafeText {
  package static func + (left: SafeText, right: SafeText) -> SafeText {
    SafeText(safe: left.string + right.string, columns: left.columns + right.columns)
  }
}

extension Sequence<SafeText> {
  package func joined(separator: SafeText = .empty) -> SafeText {
    var string = ""
    var columns = 0
    var isFirst = true
    for text in self {
      if !isFirst {
        string += separator.string
        columns += separator.columns
      }
      string += text.string
      columns += text.columns
      isFirst = false
    }
    return SafeText(safe: string, columns: columns)
  }
}

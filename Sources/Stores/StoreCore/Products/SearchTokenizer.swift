import MarketModel

/// The words of texts and of searches, as they are compared: folded, a run of letters each.
///
/// A letter is a Unicode scalar after folding. Whatever the index: a search finds the products
/// that have each of its words as a part of one of theirs.
package struct SearchTokenizer: Sendable {
  /// More words than these are looked for as if they had not been typed.
  private static let wordLimit = 16
  /// A longer word is looked for by its first letters.
  private static let letterLimit = 64

  package let fold: TextFolding

  package init(fold: @escaping TextFolding) {
    self.fold = fold
  }

  /// The words of a text in order.
  package func words(of text: String) -> [ArraySlice<Unicode.Scalar>] {
    Array(fold(text).unicodeScalars).split(whereSeparator: Self.isSeparator)
  }

  /// The words that a search asks for.
  package func wanted(by text: String) -> [ArraySlice<Unicode.Scalar>] {
    words(of: text).prefix(Self.wordLimit).map { $0.prefix(Self.letterLimit) }
  }

  /// Whether pairs with this letter are in nearly every text: Latin letters and digits.
  package static func isFrequent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "a"..."z", "A"..."Z": true
    default: false
    }
  }

  /// White space and control characters; most scalars are told without their tables.
  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x20, 0x7F: true
    case 0x21...0x7E, 0xAC00...0xD7A3: false
    default:
      scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
  }
}

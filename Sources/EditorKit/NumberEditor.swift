package import SafeText

/// A field for a number of zero or more, which shows separators as one types.
///
/// The text holds digits and at most one decimal point; the caret passes over digits, not over the
/// separators.
package struct NumberEditor: LineEditing, Sendable {
  package var buffer: TextBuffer

  /// Most digits before and after the decimal point.
  private let wholeDigits: Int
  private let decimals: Int

  package init(_ digits: String = "", wholeDigits: Int = 15, decimals: Int = 0) {
    buffer = TextBuffer(digits)
    self.wholeDigits = wholeDigits
    self.decimals = decimals
  }

  /// Takes the digits and the point of `input` if the field then still holds a number of its size,
  /// otherwise nothing.
  package func admit(_ input: String) -> (text: String, isWhole: Bool) {
    // Longer text is no number, and a paste of a megabyte is not to be read.
    guard let input = shortened(input) else { return ("", false) }
    let digits = NumberText(input, decimals: decimals).digits
    var result = buffer
    result.insert(digits, kind: .single)
    return isNumber(result.text) ? (digits, !digits.isEmpty) : ("", false)
  }

  /// The part that fits, with separators.
  package func visible(columns: Int) -> (text: SafeText, caretColumn: Int) {
    let shown = NumberText.grouped(buffer.text)
    return FieldWindow.cut(SafeText(shown), caret: caretColumn(in: shown), columns: columns)
  }

  package func place(at column: Int, columns: Int) -> Int {
    let shown = NumberText.grouped(buffer.text)
    let start = caretColumn(in: shown) - visible(columns: columns).caretColumn
    return shown.prefix(start + column).count { $0 != "," }
  }

  /// The place behind as many digits and points as the caret has before it.
  private func caretColumn(in shown: String) -> Int {
    var passed = 0
    for (column, character) in shown.enumerated() where character != "," {
      if passed == buffer.caret { return column }
      passed += 1
    }
    return shown.count
  }

  private func shortened(_ input: String) -> String? {
    let longest = input.index(input.startIndex, offsetBy: 100, limitedBy: input.endIndex)
    return longest == nil || longest == input.endIndex ? input : nil
  }

  private func isNumber(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return switch parts.count {
    case 1: parts[0].count <= wholeDigits
    case 2: decimals > 0 && parts[0].count <= wholeDigits && parts[1].count <= decimals
    default: false
    }
  }
}

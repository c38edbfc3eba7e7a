package import SafeText

/// Field for a number of zero or more, which shows separators as one types.
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

/// Number as people write it: digits of any script, grouped or not, with words around it.
private struct NumberText {
  /// ASCII digits with at most one decimal point, such as `1690000` or `12.50`.
  let digits: String

  /// Reads what people write, such as `1,690,000원`, `$12.50` or `１２３`, with so many digits after a
  /// decimal point at most.
  ///
  /// Several points group; so does a single one before three digits when there are fewer decimals.
  init(_ input: some StringProtocol, decimals: Int) {
    let plain = String(String.UnicodeScalarView(input.unicodeScalars.compactMap(Self.plain)))
    let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
    let isGrouped = parts.count > 2 || parts.count == 2 && decimals < 3 && parts[1].count == 3
    digits = isGrouped ? parts.joined() : plain
  }

  /// The digits with commas between the thousands.
  static func grouped(_ digits: String) -> String {
    let whole = digits.prefix { $0 != "." }
    var text = ""
    for (offset, digit) in whole.enumerated() {
      if offset > 0, (whole.count - offset).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text + digits[whole.endIndex...]
  }

  /// The ASCII form of a digit or a decimal point, nil for all else.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar == "." || scalar == "．" { return "." }
    guard scalar.properties.generalCategory == .decimalNumber,
      let value = scalar.properties.numericValue
    else { return nil }
    return Unicode.Scalar(UInt8(48 + value))
  }
}

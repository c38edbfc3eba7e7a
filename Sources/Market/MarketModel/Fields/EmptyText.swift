/// The rule for required texts of forms, commands, imports and requests of our additions to the API.
extension StringProtocol {
  /// Whether nothing of the text can be seen: each scalar is a blank, invisible or without width.
  package var isVisiblyEmpty: Bool { unicodeScalars.allSatisfy(\.isUnseen) }

  /// Returns what is wrong with a required text: it is visibly empty, or has control characters other
  /// than the tabs and line ends of a text `inLines`; nil for a valid one.
  package func problem(inLines: Bool) -> FieldError.Problem? {
    if isVisiblyEmpty { return .missing }
    return unicodeScalars.contains { $0.isControl && !(inLines && $0.isOfLines) } ? .controls : nil
  }
}

extension ProductField {
  /// Fields with a text.
  package static let texts = allCases.filter { $0.limit != nil }

  /// Returns what is wrong with a text by that rule; nil for a valid one, and for an empty one but a name.
  package func textProblem(of value: FieldValue?) -> FieldError? {
    guard let text = value?.text else { return nil }
    let inLines = if case .text = kind { true } else { false }
    let problem = text.problem(inLines: inLines)
    return problem == .controls || self == .name ? problem.map { FieldError(self, $0) } : nil
  }
}

extension Unicode.Scalar {
  /// Whether it is a blank, invisible, or a mark without width.
  fileprivate var isUnseen: Bool {
    if isASCII { return value <= 0x20 || value == 0x7F }
    // The empty Braille pattern has no property that says so.
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint || value == 0x2800 {
      return true
    }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .nonspacingMark, .enclosingMark:
      true
    default: false
    }
  }

  /// Whether its general category is Cc.
  fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether it is a tab or a line end.
  fileprivate var isOfLines: Bool { ["\t", "\n", "\r"].contains(self) }
}

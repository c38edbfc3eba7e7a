/// How a seller wants to be reached: an address, a mail, a phone; one line, foreign text.
package struct SellerContact: Hashable, Sendable {
  package let text: String

  /// Takes a line of 1 to 200 characters, without the blanks around it; nil for what is none.
  ///
  /// What breaks lines or controls a terminal is no way to reach anybody.
  package init?(_ text: String) {
    let line = String(text.withoutOuterBlanks)
    guard !line.isEmpty, TextLimit.contact.allows(line),
      line.unicodeScalars.allSatisfy({ !Self.breaks($0) })
    else { return nil }
    self.text = line
  }

  private static func breaks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension String {
  fileprivate var withoutOuterBlanks: Substring {
    let beginning = drop(while: \.isWhitespace)
    guard let last = beginning.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return beginning[...last]
  }
}

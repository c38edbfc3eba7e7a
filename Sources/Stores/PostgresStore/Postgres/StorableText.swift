/// Text as a column of text can hold it: PostgreSQL refuses U+0000, which is kept as two scalars
/// that begin with a noncharacter.
enum StorableText {
  private static let escape: Unicode.Scalar = "\u{10FFFF}"

  static func encoded(_ text: String) -> String {
    let needsEscape = text.unicodeScalars.contains { $0 == "\0" || $0 == escape }
    guard needsEscape else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\0": scalars += [escape, "0"]
      case escape: scalars += [escape, "1"]
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  static func decoded(_ text: String) -> String {
    guard text.unicodeScalars.contains(escape) else { return text }
    var scalars = String.UnicodeScalarView()
    var rest = text.unicodeScalars.makeIterator()
    while let scalar = rest.next() {
      guard scalar == escape else {
        scalars.append(scalar)
        continue
      }
      // A text that was cut between the two ends here.
      guard let kind = rest.next() else { break }
      scalars.append(kind == "0" ? "\0" : escape)
    }
    return String(scalars)
  }
}

/// A table of texts as its file has them.
///
/// A line each, `name = text`, forms by number divided by ` ; `; lines with `#` in front are left out.
struct StringTable: Sendable {
  /// The forms of each phrase, by number (`ageMonths` has five in Korean).
  private(set) var forms: [Phrase: [String]] = [:]

  init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      let text = String(decoding: line, as: UTF8.self)
      guard let separator = text.firstRange(of: " = ") else { continue }
      let name = String(text[..<separator.lowerBound])
      forms[.named(name)] = text[separator.upperBound...].split(separator: " ; ").map(String.init)
    }
  }

  /// The form for a number; the last one for all others and for none.
  func text(of phrase: Phrase, number: Int?) -> String {
    guard let forms = forms[phrase], let last = forms.last else { return phrase.name }
    guard let number, forms.indices.contains(number - 1) else { return last }
    return forms[number - 1]
  }

  /// Puts values in the place of `{0}`, `{1}` ...; braces within a value stay what they are.
  static func fill(_ text: String, with values: [String]) -> String {
    pieces(of: text).map { piece in
      switch piece {
      case .text(let text): text
      case .place(let index): values.indices.contains(index) ? values[index] : ""
      }
    }.joined()
  }

  static func placeholders(in text: String) -> Set<Int> {
    Set(
      pieces(of: text).compactMap { piece in
        if case .place(let index) = piece { index } else { nil }
      })
  }

  private enum Piece {
    case text(String)
    case place(Int)
  }

  private static func pieces(of text: String) -> [Piece] {
    text.split(separator: "{", omittingEmptySubsequences: false).enumerated().flatMap {
      number, part -> [Piece] in
      guard number > 0 else { return [.text(String(part))] }
      guard let end = part.firstIndex(of: "}"), let index = Int(part[..<end]) else {
        return [.text("{" + part)]
      }
      return [.place(index), .text(String(part[part.index(after: end)...]))]
    }
  }
}

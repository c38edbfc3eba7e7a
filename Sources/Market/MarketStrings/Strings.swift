package import MarketModel
package import SafeText

/// Texts of one language.
package struct Strings: Sendable {
  package let language: Language
  private let table: StringTable

  package init(_ language: Language) {
    self.language = language
    table =
      switch language {
      case .korean: Self.korean
      case .english: Self.english
      }
  }

  // Each is read once: before the first frame that takes longer than all else of the program's own.
  private static let korean = StringTable(PackageResources.ko_txt)
  private static let english = StringTable(PackageResources.en_txt)

  /// A phrase without values.
  package subscript(_ phrase: Phrase) -> SafeText {
    SafeText(table.text(of: phrase, number: nil))
  }

  /// A phrase with its values; `number` chooses the form.
  package func callAsFunction(
    _ phrase: Phrase, _ values: SafeText..., number: Int? = nil
  ) -> SafeText {
    let text = table.text(of: phrase, number: number)
    return SafeText(StringTable.fill(text, with: values.map(\.string)))
  }

  /// A phrase about a number of things, written with separators.
  package func counted(_ phrase: Phrase, _ number: Int) -> SafeText {
    self(phrase, SafeText(String(grouped: Int64(number))), number: number)
  }

  package func has(_ phrase: Phrase) -> Bool { table.forms[phrase] != nil }

  /// The places for values in a phrase's forms, such as `{0}`.
  package func placeholders(_ phrase: Phrase) -> Set<Int> {
    StringTable.placeholders(in: table.text(of: phrase, number: nil))
  }

  /// Every phrase of the table.
  package var phrases: Set<Phrase> { Set(table.forms.keys) }
}

/// Language that the program speaks.
package enum Language: String, CaseIterable, Sendable {
  case korean = "ko"
  case english = "en"

  /// The language of a locale's name such as `ko_KR.UTF-8`; anything that is not Korean is English.
  package init(locale: String) {
    self = locale.hasPrefix("ko") ? .korean : .english
  }

  /// The words of the search line in this language.
  package var ofSearch: SearchLanguage {
    switch self {
    case .korean: .korean
    case .english: .english
    }
  }
}

/// Table of texts as its file has them.
///
/// A line each, `name = text`, forms by number divided by ` ; `; lines with `#` in front are left
/// out.
private struct StringTable: Sendable {
  /// The forms of each phrase, by number (`ageMonths` has five in Korean).
  private(set) var forms: [Phrase: [String]] = [:]

  private static let separator = Array(" = ".utf8)

  init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      // Names have no blanks; looking for texts within texts would cost some milliseconds.
      let name = line.prefix { $0 != UInt8(ascii: " ") }
      let rest = line.dropFirst(name.count)
      guard rest.starts(with: Self.separator) else { continue }
      let text = String(decoding: rest.dropFirst(Self.separator.count), as: UTF8.self)
      forms[.named(String(decoding: name, as: UTF8.self))] =
        text.utf8.contains(UInt8(ascii: ";"))
        ? text.split(separator: " ; ").map(String.init) : [text]
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

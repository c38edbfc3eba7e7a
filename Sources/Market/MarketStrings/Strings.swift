internal import Glibc
package import MarketModel
package import SafeTextKit
internal import TextCoding

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

  private static let korean = StringTable(ResourceFile.bytes("strings/ko.txt"))
  private static let english = StringTable(ResourceFile.bytes("strings/en.txt"))

  /// A phrase without values.
  package subscript(_ phrase: Phrase) -> SafeText {
    SafeText(String(decoding: table.form(of: phrase, number: nil), as: UTF8.self))
  }

  /// A phrase with its values; `number` chooses the form.
  package func callAsFunction(
    _ phrase: Phrase, _ values: SafeText..., number: Int? = nil
  ) -> SafeText {
    self(phrase, of: values, number: number)
  }

  /// Returns a phrase with a list of values.
  package func callAsFunction(
    _ phrase: Phrase, of values: [SafeText], number: Int? = nil
  ) -> SafeText {
    SafeText(StringTable.fill(table.form(of: phrase, number: number), with: values))
  }

  /// A phrase about a number of things, written with separators.
  package func counted(_ phrase: Phrase, _ number: Int) -> SafeText {
    self(phrase, SafeText(String(grouped: Int64(number))), number: number)
  }

  package func has(_ phrase: Phrase) -> Bool { table.has(phrase) }

  /// The places for values in a phrase's forms, such as `{0}`.
  package func placeholders(_ phrase: Phrase) -> Set<Int> {
    StringTable.placeholders(in: table.form(of: phrase, number: nil))
  }

  /// Every phrase of the table.
  package var phrases: Set<Phrase> { table.phrases }
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
/// out. The table only notes where the lines begin, and reads a text when it is asked for: a start
/// shows few of them, and a dictionary of all took a third of a millisecond of it.
private struct StringTable: Sendable {
  private let bytes: [UInt8]
  /// Where lines begin, at the hashes of their names or at the next free place; -1 is free.
  private var starts: [Int32]

  private static let newline = UInt8(ascii: "\n")
  private static let blank = UInt8(ascii: " ")
  private static let separator = Array(" = ".utf8)
  private static let divider = Array(" ; ".utf8)
  /// Bytes that lines have on the average at the least (50 today): with a place for so many each, the
  /// table is never full.
  private static let shortestLine = 20

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts = bytes.withUnsafeBufferPointer(Self.starts)
  }

  /// Notes where the lines of all names begin.
  private static func starts(in bytes: UnsafeBufferPointer<UInt8>) -> [Int32] {
    var places = 1
    while places < bytes.count / shortestLine { places *= 2 }
    var starts = [Int32](repeating: -1, count: places)
    var start = 0
    while start < bytes.count {
      var (hash, end) = (firstHash, start)
      while end < bytes.count, bytes[end] != blank, bytes[end] != newline {
        hash = Self.hash(hash, bytes[end])
        end += 1
      }
      if end < bytes.count, bytes[end] == blank, bytes[start] != UInt8(ascii: "#") {
        var place = Int(hash) & (places - 1)
        while starts[place] >= 0 { place = (place + 1) & (places - 1) }
        starts[place] = Int32(start)
      }
      // The system looks for the end of a long line many bytes at a time.
      let rest = UnsafeRawPointer(bytes.baseAddress! + end)
      let found = UnsafeRawPointer(memchr(rest, Int32(newline), bytes.count - end))
      start = found.map { end + (rest.distance(to: $0)) + 1 } ?? bytes.count
    }
    return starts
  }

  /// FNV-1a.
  private static let firstHash: UInt32 = 2_166_136_261
  private static func hash(_ hash: UInt32, _ byte: UInt8) -> UInt32 {
    (hash ^ UInt32(byte)) &* 16_777_619
  }

  var phrases: Set<Phrase> {
    Set(
      starts.compactMap { start in
        name(at: Int(start)).map { .named(String(decoding: $0, as: UTF8.self)) }
      })
  }

  func has(_ phrase: Phrase) -> Bool { text(of: phrase) != nil }

  /// All forms of a phrase as the file has them.
  private func text(of phrase: Phrase) -> ArraySlice<UInt8>? {
    let name = Array(phrase.name.utf8)
    let start = Int(starts[place(of: name[...])])
    guard start >= 0 else { return nil }
    return bytes[(start + name.count + Self.separator.count)..<end(ofLineAt: start)]
  }

  /// The name in front of a line; nil where it has none.
  ///
  /// Names have no blanks.
  private func name(at start: Int) -> ArraySlice<UInt8>? {
    guard bytes.indices.contains(start), bytes[start] != UInt8(ascii: "#"),
      let end = bytes[start...].firstIndex(where: { $0 == Self.blank || $0 == Self.newline }),
      bytes[end...].starts(with: Self.separator)
    else { return nil }
    return bytes[start..<end]
  }

  private func end(ofLineAt start: Int) -> Int {
    bytes[start...].firstIndex(of: Self.newline) ?? bytes.count
  }

  /// The place of a name: where its line is noted, or would be.
  private func place(of name: ArraySlice<UInt8>) -> Int {
    let hash = name.reduce(Self.firstHash, Self.hash)
    var place = Int(hash) & (starts.count - 1)
    while starts[place] >= 0, self.name(at: Int(starts[place])) != name {
      place = (place + 1) & (starts.count - 1)
    }
    return place
  }

  /// The form for a number; the last one for all others and for none (`ageMonths` has five in Korean).
  func form(of phrase: Phrase, number: Int?) -> ArraySlice<UInt8> {
    guard let text = text(of: phrase) else { return ArraySlice(phrase.name.utf8) }
    var (start, rank) = (text.startIndex, 1)
    for place in text.indices
    where text[place] == UInt8(ascii: ";") && place > start
      && text[(place - 1)...].starts(with: Self.divider)
    {
      if rank == number { return text[start..<(place - 1)] }
      (start, rank) = (place + 2, rank + 1)
    }
    return text[start...]
  }

  /// Puts values in the place of `{0}`, `{1}` ...; braces within a value stay what they are.
  static func fill(_ form: ArraySlice<UInt8>, with values: [SafeText]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(form.count + values.reduce(0) { $0 + $1.string.utf8.count })
    var rest = form
    for place in places(in: form) {
      text += rest[..<place]
      let index = value(at: place, in: form)
      if values.indices.contains(index) { text += values[index].string.utf8 }
      rest = rest[(place + 3)...]
    }
    return String(decoding: text + rest, as: UTF8.self)
  }

  static func placeholders(in form: ArraySlice<UInt8>) -> Set<Int> {
    Set(places(in: form).map { value(at: $0, in: form) })
  }

  /// Where the places of values begin: a digit in braces each, so that other braces are text.
  private static func places(in form: ArraySlice<UInt8>) -> [Int] {
    form.indices.dropLast(2).filter { place in
      form[place] == UInt8(ascii: "{") && form[place + 2] == UInt8(ascii: "}")
        && 0...9 ~= value(at: place, in: form)
    }
  }

  private static func value(at place: Int, in form: ArraySlice<UInt8>) -> Int {
    Int(form[place + 1]) - 0x30
  }
}

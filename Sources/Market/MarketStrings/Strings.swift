internal import Glibc
package import MarketModel
package import SafeTextKit
internal import TextCoding

/// Texts of the program in one language.
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

  /// Returns a phrase without values.
  package subscript(_ phrase: Phrase) -> SafeText {
    SafeText(String(decoding: table.form(of: phrase, number: nil), as: UTF8.self))
  }

  /// Returns a phrase with values; `number` selects its form.
  package func callAsFunction(
    _ phrase: Phrase, _ values: SafeText..., number: Int? = nil
  ) -> SafeText {
    self(phrase, of: values, number: number)
  }

  /// Returns a phrase with a list of values; `number` selects its form.
  package func callAsFunction(
    _ phrase: Phrase, of values: [SafeText], number: Int? = nil
  ) -> SafeText {
    SafeText(StringTable.fill(table.form(of: phrase, number: number), with: values))
  }

  /// Returns a phrase about a count, formatted with separators.
  package func counted(_ phrase: Phrase, _ number: Int) -> SafeText {
    self(phrase, SafeText(String(grouped: Int64(number))), number: number)
  }

  package func has(_ phrase: Phrase) -> Bool { table.has(phrase) }

  /// Returns the indexes of the placeholders in a phrase's forms, such as `{0}`.
  package func placeholders(_ phrase: Phrase) -> Set<Int> {
    StringTable.placeholders(in: table.form(of: phrase, number: nil))
  }

  package var phrases: Set<Phrase> { table.phrases }
}

/// Language of the user interface.
package enum Language: String, CaseIterable, Sendable {
  case korean = "ko"
  case english = "en"

  /// Selects the language for a locale name such as `ko_KR.UTF-8`; English unless Korean.
  package init(locale: String) {
    self = locale.hasPrefix("ko") ? .korean : .english
  }

  /// Language of keywords in the search line.
  package var ofSearch: SearchLanguage {
    switch self {
    case .korean: .korean
    case .english: .english
    }
  }
}

/// Table of texts in the format of its file.
///
/// One line each, `name = text`, with forms by number separated by ` ; `; lines beginning with `#`
/// are comments. The table only indexes the lines and decodes a text on demand: a start shows few of
/// them, and a dictionary of all took a third of a millisecond.
private struct StringTable: Sendable {
  private let bytes: [UInt8]
  /// Hash table with open addressing: the offset of each line by the hash of its name; -1 is free.
  private var starts: [Int32]

  private static let newline = UInt8(ascii: "\n")
  private static let blank = UInt8(ascii: " ")
  private static let separator = Array(" = ".utf8)
  private static let divider = Array(" ; ".utf8)
  /// Minimum average length of a line in bytes (50 today); with a slot for each such length the table
  /// is never full.
  private static let shortestLine = 20

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts = bytes.withUnsafeBufferPointer(Self.starts)
  }

  /// Builds the hash table of all lines.
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
      // memchr(3) searches many bytes at a time.
      let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[end...])
      let found = rest.baseAddress.flatMap { begin in
        memchr(begin, Int32(newline), rest.count).map { begin.distance(to: UnsafeRawPointer($0)) }
      }
      start = found.map { end + $0 + 1 } ?? bytes.count
    }
    return starts
  }

  /// FNV-1a hash.
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

  /// Returns the text of a phrase with all forms; nil where it is missing.
  private func text(of phrase: Phrase) -> ArraySlice<UInt8>? {
    let name = Array(phrase.name.utf8)
    let start = Int(starts[place(of: name[...])])
    guard start >= 0 else { return nil }
    return bytes[(start + name.count + Self.separator.count)..<end(ofLineAt: start)]
  }

  /// Returns the name of a line, which contains no spaces; nil where it has none.
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

  /// Returns the slot of a name, or the free one where it would be.
  private func place(of name: ArraySlice<UInt8>) -> Int {
    let hash = name.reduce(Self.firstHash, Self.hash)
    var place = Int(hash) & (starts.count - 1)
    while starts[place] >= 0, self.name(at: Int(starts[place])) != name {
      place = (place + 1) & (starts.count - 1)
    }
    return place
  }

  /// Returns the form for a number; the last one for higher numbers and for nil (`ageMonths` has five
  /// in Korean), and the phrase's name for a missing text.
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

  /// Replaces the placeholders `{0}`, `{1}` and so on by values; braces within values are kept.
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

  /// Returns the offsets of placeholders, one digit in braces; other braces are text.
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

/// Line of text that is safe to draw in a terminal, with its width in cells.
///
/// It is in NFC and contains no control, escape, bidi, invisible or unassigned characters, at most
/// four marks on a character, and only characters on whose width terminals agree: emoji sequences are
/// split, flags become two letters. Deceptive or undrawable characters are replaced by U+FFFD.
/// Sanitizing is idempotent.
package struct SafeText: Hashable, Sendable {
  package let string: String

  package let columns: Int

  package static let empty = SafeText(safe: "", columns: 0)

  /// Sanitizes text from any source; line breaks and tabs become spaces.
  package init(_ foreign: String) {
    if let columns = Self.plainColumns(foreign) {
      self.init(safe: foreign, columns: columns)
    } else {
      self = Sanitizer.sanitize(foreign)
    }
  }

  package init(_ number: Int64) {
    let digits = String(number)
    self.init(safe: digits, columns: digits.utf8.count)
  }

  package init(_ number: Int) { self.init(Int64(number)) }
  package init(_ number: Int32) { self.init(Int64(number)) }

  /// Wraps text that is already safe.
  init(safe string: String, columns: Int) {
    self.string = string
    self.columns = columns
  }

  package var isEmpty: Bool { string.isEmpty }

  /// Returns the width of text that needs no change; nil for other text.
  private static func plainColumns(_ text: String) -> Int? {
    var text = text
    // One reduction over all bytes is vectorized; a search would go byte by byte.
    let isASCII = text.withUTF8 { $0.reduce(0) { max($0, $1 &- 0x20) } } <= 0x5E as UInt8
    if isASCII { return text.utf8.count }
    var columns = 0
    for scalar in text.unicodeScalars {
      guard let width = scalar.plainWidth else { return nil }
      columns += width
    }
    return columns
  }

  package static func + (left: SafeText, right: SafeText) -> SafeText {
    SafeText(safe: left.string + right.string, columns: left.columns + right.columns)
  }

  /// Character with its marks, as one cell or a pair of cells shows it.
  package struct Cluster: Hashable, Sendable {
    package let string: Character

    /// 1 or 2.
    package let columns: Int
  }

  /// Clusters of a text from left to right.
  package struct Clusters: Sequence, IteratorProtocol {
    private var scalars: String.UnicodeScalarView.Iterator
    private var base: Unicode.Scalar?

    fileprivate init(_ string: String) {
      scalars = string.unicodeScalars.makeIterator()
      base = scalars.next()
    }

    package mutating func next() -> Cluster? {
      guard let base else { return nil }
      let columns = cellWidth(of: base)
      self.base = scalars.next()
      guard let mark = self.base, cellWidth(of: mark) == 0 else {
        return Cluster(string: Character(base), columns: columns)
      }
      return Cluster(string: collectMarks(on: base), columns: columns)
    }

    private mutating func collectMarks(on first: Unicode.Scalar) -> Character {
      var cluster = String(Character(first))
      while let mark = base, cellWidth(of: mark) == 0 {
        cluster.unicodeScalars.append(mark)
        base = scalars.next()
      }
      return Character(cluster)
    }
  }

  package init(_ cluster: Cluster) {
    self.init(safe: String(cluster.string), columns: cluster.columns)
  }

  package var clusters: Clusters { Clusters(string) }

  private static let ellipsis: SafeText = "…"

  /// Alignment of padded text.
  package enum Alignment: Sendable {
    case leading, center, trailing
  }

  /// Returns the prefix that fits into `limit` cells; one cell less where a wide character would be
  /// cut.
  package func prefix(columns limit: Int) -> SafeText {
    let (end, used) = boundary(columns: limit)
    return SafeText(safe: String(string[..<end]), columns: used)
  }

  /// Returns the rest after the first `count` cells; a space replaces the second half of a wide
  /// character.
  package func dropping(columns count: Int) -> SafeText {
    guard count > 0 else { return self }
    guard count < columns else { return .empty }
    var (start, used) = boundary(columns: count)
    guard used < count else {
      return SafeText(safe: String(string[start...]), columns: columns - count)
    }
    repeat {
      string.unicodeScalars.formIndex(after: &start)
    } while start < string.endIndex && cellWidth(of: string.unicodeScalars[start]) == 0
    return SafeText(safe: " " + string[start...], columns: columns - count)
  }

  /// Returns the text, or a prefix with an ellipsis, in at most `limit` cells.
  package func truncated(toColumns limit: Int) -> SafeText {
    guard columns > limit else { return self }
    return limit > 0 ? prefix(columns: limit - 1) + Self.ellipsis : .empty
  }

  /// Returns the text in exactly `width` cells, padded with spaces or truncated.
  package func padded(toColumns width: Int, alignment: Alignment = .leading) -> SafeText {
    let text = truncated(toColumns: width)
    let spare = max(0, width - text.columns)
    return switch alignment {
    case .leading: text + .spaces(spare)
    case .center: .spaces(spare / 2) + text + .spaces(spare - spare / 2)
    case .trailing: .spaces(spare) + text
    }
  }

  package static func spaces(_ count: Int) -> SafeText {
    SafeText(safe: String(repeating: " ", count: count), columns: count)
  }

  /// Returns the last cluster boundary within `limit` cells.
  private func boundary(columns limit: Int) -> (index: String.Index, columns: Int) {
    guard columns > limit else { return (string.endIndex, columns) }
    let scalars = string.unicodeScalars
    var index = scalars.startIndex
    var used = 0
    while index < scalars.endIndex {
      let width = cellWidth(of: scalars[index])
      guard width == 0 || used + width <= limit else { break }
      used += width
      scalars.formIndex(after: &index)
    }
    return (index, used)
  }

  private static let tabWidth = 4

  /// Returns the lines of foreign text, at least one, with tabs expanded to multiples of four cells.
  package static func lines(_ foreign: String) -> [SafeText] {
    foreign.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { SafeText(String($0)) }
      return parts.dropFirst().reduce(parts.first ?? .empty) { text, part in
        text.padded(toColumns: (text.columns / tabWidth + 1) * tabWidth) + part
      }
    }
  }

  /// Returns the text in lines of at most `width` cells, broken at spaces.
  ///
  /// The spaces at breaks are dropped. A word longer than a line is split; a wide character in a line
  /// of one cell becomes an ellipsis.
  package func wrapped(toColumns width: Int) -> [SafeText] {
    let width = max(1, width)
    guard columns > width else { return [self] }
    var lines: [SafeText] = []
    var line: SafeText?
    for word in words {
      if let start = line, start.columns + 1 + word.columns <= width {
        line = start + " " + word
      } else if line == nil || !word.isEmpty {
        if let line { lines.append(line) }
        let pieces = word.split(toColumns: width)
        lines += pieces.dropLast()
        line = pieces.last
      }
    }
    if let line { lines.append(line) }
    return lines
  }

  /// Words between single spaces, including empty ones.
  private var words: [SafeText] {
    string.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false).map { word in
      SafeText(safe: String(word), columns: word.reduce(0) { $0 + cellWidth(of: $1) })
    }
  }

  /// Returns pieces of at most `width` cells, at least one.
  private func split(toColumns width: Int) -> [SafeText] {
    guard columns > width else { return [self] }
    var pieces: [SafeText] = []
    var piece = SafeText.empty
    for cluster in clusters {
      if piece.columns + cluster.columns > width, !piece.isEmpty {
        pieces.append(piece)
        piece = .empty
      }
      piece = piece + SafeText(cluster).truncated(toColumns: width)
    }
    return pieces + [piece]
  }
}

extension SafeText: CustomStringConvertible {
  package var description: String { string }
}

extension SafeText: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(value)
  }
}

extension Sequence<SafeText> {
  package func joined(separator: SafeText = .empty) -> SafeText {
    var string = ""
    var columns = 0
    var isFirst = true
    for text in self {
      if !isFirst {
        string += separator.string
        columns += separator.columns
      }
      string += text.string
      columns += text.columns
      isFirst = false
    }
    return SafeText(safe: string, columns: columns)
  }
}

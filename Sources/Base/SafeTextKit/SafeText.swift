/// Line of text that can be drawn in a terminal, with its width in cells.
///
/// It is in NFC and holds no control, escape, bidi or invisible character, nothing unassigned, at
/// most four marks on a character, and only characters on whose width terminals agree: emoji
/// sequences are taken apart, flags become their two letters. What was removed for being deceptive
/// or unreadable is shown as U+FFFD. Making safe text of safe text changes nothing.
package struct SafeText: Hashable, Sendable {
  package let string: String

  /// Width in terminal cells.
  package let columns: Int

  package static let empty = SafeText(safe: "", columns: 0)

  /// Makes text from anywhere safe; its line breaks and tabs become spaces.
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

  /// Takes text that is known to be safe, and its width.
  init(safe string: String, columns: Int) {
    self.string = string
    self.columns = columns
  }

  package var isEmpty: Bool { string.isEmpty }

  /// The width of text that needs no change, or nil.
  private static func plainColumns(_ text: String) -> Int? {
    var text = text
    // Looks at all bytes, many at once, where a search would go byte by byte.
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

  /// Character and the marks on it: what one cell, or a pair of cells, shows.
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

  /// Alignment of a padded text: where its spare cells go.
  package enum Alignment: Sendable {
    case leading, center, trailing
  }

  /// As much from the start as fits into `columns` cells; one less when a wide cell would be cut.
  package func prefix(columns limit: Int) -> SafeText {
    let (end, used) = boundary(columns: limit)
    return SafeText(safe: String(string[..<end]), columns: used)
  }

  /// The rest after the first `columns` cells; a space stands for the second half of a wide cell.
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

  /// The text, or what fits of it with an ellipsis, in at most `limit` cells.
  package func truncated(toColumns limit: Int) -> SafeText {
    guard columns > limit else { return self }
    return limit > 0 ? prefix(columns: limit - 1) + Self.ellipsis : .empty
  }

  /// The text in exactly `width` cells: filled up with spaces, or truncated.
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

  /// The last place between clusters that is at most `limit` cells from the start.
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

  /// The lines of foreign text, at least one, with tabs expanded to multiples of four cells.
  package static func lines(_ foreign: String) -> [SafeText] {
    foreign.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { SafeText(String($0)) }
      return parts.dropFirst().reduce(parts.first ?? .empty) { text, part in
        text.padded(toColumns: (text.columns / tabWidth + 1) * tabWidth) + part
      }
    }
  }

  /// The text in lines of at most `width` cells, broken at spaces.
  ///
  /// The spaces at which a line is broken are left out. A word longer than a line is split; a wide
  /// cell that does not fit into a line of one cell is shown as an ellipsis.
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

  /// The words between single spaces, empty ones too.
  private var words: [SafeText] {
    string.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false).map { word in
      SafeText(safe: String(word), columns: word.reduce(0) { $0 + cellWidth(of: $1) })
    }
  }

  /// The text in pieces of at most `width` cells, at least one.
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

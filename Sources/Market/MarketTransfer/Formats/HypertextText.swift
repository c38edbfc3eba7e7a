import MarketModel

/// Text of a description in HTML, as the editors of shops write it.
///
/// This reads no documents: tags are taken off, those of blocks end a line, and what a browser would not
/// show goes. A text without tags and entities stays as it is.
enum HypertextText {
  private static let blocks: Set<String> = [
    "p", "div", "br", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "section", "article", "blockquote", "dl", "dt", "dd", "pre", "center", "header", "footer",
    "thead", "tbody", "tfoot", "caption", "figure", "main",
  ]
  private static let inline: Set<String> = [
    "a", "b", "i", "u", "s", "em", "strong", "span", "font", "img", "small", "big", "sub", "sup",
    "td", "th", "del", "ins", "mark", "code", "iframe", "video", "source", "picture", "button",
    "label", "meta", "link", "input", "abbr", "cite", "strike", "col", "colgroup", "figcaption",
    "html", "body", "head", "title", "svg", "path", "nav", "form", "object", "embed", "q", "tt",
    "wbr", "script", "style",
  ]
  /// Elements whose content is not shown.
  private static let unseen: Set<String> = ["script", "style", "title"]
  private static let entities: [Substring: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–",
    "mdash": "—", "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
    "bull": "•", "middot": "·", "copy": "©", "reg": "®", "trade": "™", "deg": "°", "times": "×",
    "euro": "€", "pound": "£", "yen": "¥", "cent": "¢", "frac12": "½", "frac14": "¼",
    "frac34": "¾", "plusmn": "±", "sup2": "²", "sup3": "³", "micro": "µ", "laquo": "«",
    "raquo": "»", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü",
    "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ",
    "rarr": "→", "zwnj": "", "shy": "", "ensp": " ", "emsp": " ", "thinsp": " ",
  ]

  /// The text that a browser would show.
  static func plain(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x3C || $0 == 0x26 }) else { return text }
    var pieces: [Piece] = []
    var rest = Substring(text)
    while let mark = rest.utf8.firstIndex(of: 0x3C) {
      guard let tag = Tag(at: mark, in: rest) else {
        pieces.append(.text(rest[...mark]))
        rest = rest[rest.utf8.index(after: mark)...]
        continue
      }
      pieces.append(.text(rest[..<mark]))
      pieces.append(.tag(tag))
      rest = rest[tag.end...]
      if !tag.isEnd, unseen.contains(tag.name) { rest.passContent(of: tag.name) }
    }
    pieces.append(.text(rest))
    let isMarkedUp = pieces.contains { if case .tag = $0 { true } else { false } }
    guard isMarkedUp else { return decoded(rest: Substring(text)) }
    return lines(of: pieces)
  }

  private enum Piece {
    case text(Substring)
    case tag(Tag)
  }

  /// Tag or comment of HTML.
  private struct Tag {
    let name: String
    let isEnd: Bool
    let end: Substring.Index

    /// Nil where no known tag begins there, so that `a < b` stays.
    init?(at start: Substring.Index, in text: Substring) {
      var rest = text[text.utf8.index(after: start)...]
      if rest.hasPrefix("!--") {
        let close = rest.firstRange(of: "-->")
        (name, isEnd, end) = ("", false, close?.upperBound ?? text.endIndex)
        return
      }
      isEnd = rest.first == "/"
      if isEnd { rest.removeFirst() }
      let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
      guard blocks.contains(word) || inline.contains(word),
        let close = rest.utf8.firstIndex(of: 0x3E)
      else { return nil }
      let behind = rest.dropFirst(word.count).first
      guard behind == ">" || behind == "/" || behind?.isWhitespace == true else { return nil }
      name = word
      end = text.utf8.index(after: close)
    }
  }

  private static func lines(of pieces: [Piece]) -> String {
    let hasBlocks = pieces.contains {
      if case .tag(let tag) = $0 { blocks.contains(tag.name) } else { false }
    }
    var lines = [""]
    for piece in pieces {
      switch piece {
      case .text(let text):
        let text = decoded(rest: text)
        guard !hasBlocks else {
          lines[lines.count - 1] += text.withSingleBlanks
          continue
        }
        lines[lines.count - 1] += text
      case .tag(let tag) where blocks.contains(tag.name):
        let isInLine = lines.last != "- " && lines.last?.allSatisfy(\.isWhitespace) == false
        if isInLine || tag.name == "br" { lines.append("") }
        // Paragraphs are set apart by an empty line, other blocks by none.
        if isInLine, tag.name == "p" { lines.append("") }
        if tag.name == "li", !tag.isEnd { lines[lines.count - 1] = "- " }
      case .tag(let tag):
        if ["td", "th"].contains(tag.name), tag.isEnd { lines[lines.count - 1] += " " }
      }
    }
    return joined(lines)
  }

  /// Lines without blanks around, and without empty lines around and after others.
  private static func joined(_ lines: [String]) -> String {
    var kept: [Substring] = []
    for line in lines.joined(separator: "\n").split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    {
      let line = line.trimmed
      if !line.isEmpty || kept.last?.isEmpty == false { kept.append(line) }
    }
    if kept.last?.isEmpty == true { kept.removeLast() }
    return kept.joined(separator: "\n")
  }

  /// The text with its entities as the characters that they stand for.
  private static func decoded(rest: Substring) -> String {
    var (rest, text) = (rest, "")
    while let mark = rest.utf8.firstIndex(of: 0x26) {
      text += rest[..<mark]
      let behind = rest[rest.utf8.index(after: mark)...]
      let name = behind.prefix(10).prefix { $0 != ";" }
      if behind.dropFirst(name.count).first == ";", let character = character(named: name) {
        text += character
        rest = behind.dropFirst(name.count + 1)
      } else {
        text += "&"
        rest = behind
      }
    }
    return text + rest
  }

  private static func character(named name: Substring) -> String? {
    guard name.first == "#" else { return entities[name] }
    let digits = name.dropFirst()
    let number =
      digits.first?.lowercased() == "x"
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let scalar = number.flatMap(Unicode.Scalar.init), scalar != "\0" else { return nil }
    return scalar == "\u{A0}" ? " " : String(scalar)
  }
}

extension String {
  /// The text with each run of blanks and line ends as one blank.
  fileprivate var withSingleBlanks: String {
    var (scalars, isBehindBlank) = (String.UnicodeScalarView(), false)
    for scalar in unicodeScalars {
      let isBlank = scalar == " " || (0x09...0x0D).contains(scalar.value)
      if !isBlank || !isBehindBlank { scalars.append(isBlank ? " " : scalar) }
      isBehindBlank = isBlank
    }
    return String(scalars)
  }
}

extension Substring {
  /// Consumes the content of an element, up to its end tag.
  fileprivate mutating func passContent(of name: String) {
    guard let end = range(ofEndTag: name) else { return }
    self = self[end...]
  }

  private func range(ofEndTag name: String) -> Index? {
    var rest = self
    while let mark = rest.utf8.firstIndex(of: 0x3C) {
      let tag = rest[mark...].dropFirst().prefix(name.count + 1)
      if tag.lowercased() == "/" + name { return mark }
      rest = rest[rest.utf8.index(after: mark)...]
    }
    return nil
  }
}

/// Reader of HTML that is as strict as an attacker would wish a browser to be lax: every element closes,
/// every attribute stands in double quotes.
final class Markup {
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  private static let empty: Set = ["meta", "link", "input", "img", "br"]
  /// The elements that pages are made of.
  static let known: Set = [
    "html", "head", "meta", "title", "link", "body", "a", "header", "span", "main", "h1", "h2",
    "search", "form", "label", "input", "button", "div", "ul", "li", "p", "b", "s", "em", "img",
    "time", "nav", "footer", "code", "article", "figure", "figcaption", "br", "bdi",
  ]

  let name: String
  let attributes: [String: String]
  private var children: [Markup] = []
  /// Everything that is read within it, in order.
  private(set) var text = ""

  private init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// All elements below this one.
  var allElements: [Markup] { children + children.flatMap(\.allElements) }

  func elements(_ name: String) -> [Markup] { allElements.filter { $0.name == name } }

  /// What an `og:` property says.
  func property(_ name: String) -> String? {
    elements("meta").first { $0.attributes["property"] == name }?.attributes["content"]
  }

  /// What a property of an item says.
  func item(_ name: String) -> String? {
    elements("meta").first { $0.attributes["itemprop"] == name }?.attributes["content"]
  }

  convenience init(_ html: String) throws {
    self.init(name: "", attributes: [:])
    let start = "<!doctype html>"
    guard html.hasPrefix(start) else { throw Mistake(description: "no doctype") }
    var rest = html.dropFirst(start.count)
    var open: [Markup] = [self]
    while let character = rest.first {
      guard character == "<" else {
        let words = rest.prefix { $0 != "<" }
        let read = try Self.unescaped(words)
        for element in open { element.text += read }
        rest = rest[words.endIndex...]
        continue
      }
      guard let end = rest.firstIndex(of: ">") else { throw Mistake(description: "an open tag") }
      let tag = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("/") {
        guard open.count > 1, open.removeLast().name == tag.dropFirst() else {
          throw Mistake(description: "</\(tag.dropFirst())> closes something else")
        }
        continue
      }
      let element = try Self.element(tag)
      open[open.count - 1].children.append(element)
      if !Self.empty.contains(element.name) { open.append(element) }
    }
    guard open.count == 1 else { throw Mistake(description: "\(open.last?.name ?? "") is open") }
  }

  private static func element(_ tag: Substring) throws -> Markup {
    let name = tag.prefix { $0.isLetter || $0.isNumber }
    var rest = tag[name.endIndex...]
    var attributes: [String: String] = [:]
    while !rest.isEmpty {
      guard rest.first == " " else { throw Mistake(description: "<\(tag)>") }
      rest = rest.dropFirst()
      let key = rest.prefix { $0.isLetter || $0 == "-" }
      rest = rest[key.endIndex...]
      guard !key.isEmpty else { throw Mistake(description: "<\(tag)>") }
      guard rest.first == "=" else {
        attributes[String(key)] = ""
        continue
      }
      let quoted = rest.dropFirst()
      guard quoted.first == "\"", let end = quoted.dropFirst().firstIndex(of: "\"") else {
        throw Mistake(description: "<\(tag)>")
      }
      attributes[String(key)] = try unescaped(quoted[quoted.index(after: quoted.startIndex)..<end])
      rest = quoted[quoted.index(after: end)...]
    }
    return Markup(name: String(name), attributes: attributes)
  }

  private static let references = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'",
  ]

  private static func unescaped(_ text: Substring) throws -> String {
    var pieces = text.split(separator: "&", omittingEmptySubsequences: false)[...]
    var read = String(pieces.removeFirst())
    for piece in pieces {
      guard let end = piece.firstIndex(of: ";"), let value = references[String(piece[..<end])]
      else {
        throw Mistake(description: "&\(piece)")
      }
      read += value + piece[piece.index(after: end)...]
    }
    return read
  }
}

package import MarketAPI
package import MarketStrings

/// Form and language of a response, negotiated from the headers of a request.
package struct ContentNegotiation: Hashable, Sendable {
  /// Form of a response.
  package enum Form: Hashable, Sendable {
    case html
    /// Text for a terminal, with colours and pictures or without.
    case text(isColored: Bool)
    /// Atom feed; chosen by the path alone.
    case feed
    /// Response of the API.
    case api
  }

  package let form: Form
  package let language: Language

  /// Request headers that select the response, for the `Vary` header.
  package static let vary = "Accept, Accept-Language, User-Agent"

  /// Negotiates a response; `otherwise` is the language if the client accepts none of ours.
  ///
  /// With `prefersHTML`, a client that accepts anything gets HTML, as programs do that make previews
  /// of shared links.
  package init(
    _ target: RequestTarget, _ headers: HTTPHeaders, otherwise: Language, prefersHTML: Bool = false
  ) {
    form = Self.form(target, headers, prefersHTML: prefersHTML)
    language =
      headers["Accept-Language"].flatMap { Self.language(in: QualityValues($0)) } ?? otherwise
  }

  private static func form(
    _ target: RequestTarget, _ headers: HTTPHeaders, prefersHTML: Bool
  ) -> Form {
    if target.path == PageRoute.feedPath { return .feed }
    let isTerminal = isForTerminal(headers["User-Agent"] ?? "")
    if target.query.items.contains(where: { $0.name == "T" }) { return .text(isColored: false) }
    let accepted = QualityValues(headers.values(of: HeaderName.accept).joined(separator: ","))
    let json = accepted.weight(ofMedia: "application/json")
    if accepted.weight(ofMedia: "text/html") > json { return .html }
    if accepted.weight(ofMedia: "text/plain") > json { return .text(isColored: isTerminal) }
    let acceptsAnything = accepted.words.allSatisfy { $0.word == "*/*" }
    if isTerminal && acceptsAnything { return .text(isColored: true) }
    let isTie = json > 0 && accepted.weight(ofMedia: "text/html") == json
    return prefersHTML && isTie && accepted.acceptsOnlyWithAnything("application/json")
      ? .html : .api
  }

  /// Prefixes of the `User-Agent` of programs that print to a terminal by default.
  private static let terminalPrograms = ["curl/", "wget/", "wget2/", "httpie/"]

  private static func isForTerminal(_ agent: String) -> Bool {
    let beginning = String(agent.prefix(8)).lowercased()
    return terminalPrograms.contains { beginning.hasPrefix($0) }
  }

  /// Language with the highest weight, the first of equal ones; nil if the client accepts none of ours.
  private static func language(in accepted: QualityValues) -> Language? {
    var best: (language: Language, weight: Int)?
    for (word, weight) in accepted.words where weight > (best?.weight ?? 0) {
      let name = word.prefix { $0 != "-" }
      if let language = Language.allCases.first(where: { $0.rawValue == name }) {
        best = (language, weight)
      }
    }
    return best?.language
  }
}

/// Words of a header with their weights in thousandths (RFC 9110, section 12.4.2).
private struct QualityValues {
  /// Maximum number of words of a header; further ones are ignored.
  private static let most = 32

  /// Words in lowercase and original order; weight 0 means not acceptable.
  let words: [(word: String, weight: Int)]

  init(_ header: String) {
    words = header.split(separator: ",").prefix(Self.most).compactMap { piece in
      let parts = piece.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
      guard let word = parts.first, !word.isEmpty else { return nil }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
      return (word, weight.map { Self.thousandths($0.dropFirst(2)) } ?? 1_000)
    }
  }

  /// Words that match a media type, the most specific first.
  private static func names(of type: String) -> [String] {
    [type, type.prefix { $0 != "/" } + "/*", anything]
  }

  private static let anything = "*/*"

  /// Whether `*/*` is the only word that matches a media type.
  func acceptsOnlyWithAnything(_ type: String) -> Bool {
    let names = Self.names(of: type)
    return Set(words.map(\.word)).intersection(names) == [Self.anything]
  }

  /// Weight of a media type by the most specific word; 0 if none matches.
  func weight(ofMedia type: String) -> Int {
    for name in Self.names(of: type) {
      if let found = words.first(where: { $0.word == name }) { return found.weight }
    }
    return words.isEmpty ? 1_000 : 0
  }

  /// Parses `0.8`; 0 if invalid.
  private static func thousandths(_ text: Substring) -> Int {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = Int(parts[0]), (0...1).contains(whole) else { return 0 }
    let digits = parts.count > 1 ? String(parts[1].prefix(3)) : ""
    let padded = digits + String(repeating: "0", count: 3 - digits.count)
    return min(1_000, whole * 1_000 + max(0, Int(padded) ?? 0))
  }
}

import MarketStrings
import SafeText

/// What `--help` says.
enum ServerUsage {
  private static let options: [(words: String, summary: Phrase)] = [
    ("--listen HOST:PORT", .serveListen),
    ("--store PATH", .serveStore),
    ("--store ADDRESS", .serveDatabase),
    ("--api 2023|2022", .serveAPI),
    ("--public-url URL", .servePublicURL),
    ("--trust-proxy", .serveTrustProxy),
    ("--quota SIZE", .serveQuota),
    ("--rate N", .serveRate),
    ("--language ko|en", .serveLanguage),
    ("--check [URL]", .serveCheck),
    ("--help", .optionHelp),
  ]
  private static let column = 23

  static func text(_ strings: Strings) -> String {
    let lines = options.map { words, summary in
      let gap = String(repeating: " ", count: column - 2 - words.count)
      return "  " + words + gap + strings[summary].string
    }
    return
      ([
        "market-server [OPTIONS]",
        "market-server import|export|backup FILE [--strict] [--replace] [OPTIONS]", "",
        strings[.serveAbout].string, "",
      ] + lines).joined(separator: "\n")
  }
}

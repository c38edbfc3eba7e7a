import MarketStrings
import SafeText

/// What `--help` says.
enum ServerUsage {
  private static let options: [(words: String, summary: Phrase)] = [
    ("--listen HOST:PORT", .serveListen),
    ("--store PATH", .serveStore),
    ("--store ADDRESS", .serveDatabase),
    ("--store-file FILE", .serveStoreFile),
    ("--insecure-password-in-arguments", .serveInsecurePassword),
    ("--wait SECONDS", .serveWait),
    ("--drain SECONDS", .serveDrain),
    ("--api 2023|2022", .serveAPI),
    ("--public-url URL", .servePublicURL),
    ("--trust-proxy", .serveTrustProxy),
    ("--quota SIZE", .serveQuota),
    ("--rate N", .serveRate),
    ("--language ko|en", .serveLanguage),
    ("--check [URL]", .serveCheck),
    ("--help", .optionHelp),
    ("--version", .optionVersion),
  ]
  private static let column = 23

  static func text(_ strings: Strings) -> String {
    let lines = options.map { words, summary in
      let isLong = words.count + 2 >= column
      let gap =
        (isLong ? "\n" : "")
        + String(repeating: " ", count: isLong ? column : column - 2 - words.count)
      return "  " + words + gap + strings[summary].string
    }
    return
      ([
        "market-server [OPTIONS]",
        "market-server import|export|backup FILE [--strict] [--replace] [OPTIONS]",
        "market-server seller set [--id N] [--name NAME] [OPTIONS]",
        "market-server seller block|unblock ID [OPTIONS]",
        "market-server remove ID... [OPTIONS]", "",
        strings[.serveAbout].string, "",
      ] + lines).joined(separator: "\n")
  }
}

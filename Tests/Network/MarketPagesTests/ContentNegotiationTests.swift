import Expectations
import MarketAPI
import MarketPages
import MarketStrings
import Testing

struct ContentNegotiationTests {
  private static let firefox = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

  @Test(
    arguments: [
      ("/", firefox, "Mozilla/5.0", ContentNegotiation.Form.html),
      ("/", "text/html", "curl/7.88.1", .html),
      ("/", "*/*", "curl/7.88.1", .text(isColored: true)),
      ("/", "*/*", "Wget/1.21.3", .text(isColored: true)),
      ("/", "*/*", "HTTPie/3.2.1", .text(isColored: true)),
      ("/", "application/json, */*;q=0.5", "HTTPie/3.2.1", .api),
      ("/", "application/json", "curl/7.88.1", .api),
      ("/", nil, "curl/7.88.1", .text(isColored: true)),
      ("/", nil, nil, .api),
      ("/", "*/*", "python-requests/2.31", .api),
      ("/", "*/*", nil, .api),
      ("/", "text/html;q=0.5, application/json", "Mozilla/5.0", .api),
      ("/", "text/html, application/json", "Mozilla/5.0", .api),
      ("/", "text/*", "Mozilla/5.0", .html),
      ("/", "text/html;q=0", "Mozilla/5.0", .api),
      ("/", "text/plain", "Mozilla/5.0", .text(isColored: false)),
      ("/?T", firefox, "Mozilla/5.0", .text(isColored: false)),
      ("/?T", "*/*", "curl/7.88.1", .text(isColored: false)),
      ("/products/12?T", "application/json", nil, .text(isColored: false)),
      ("/?q=T", "*/*", "curl/7.88.1", .text(isColored: true)),
      ("/", "text/html;q=nonsense", "Mozilla/5.0", .api),
    ] as [(String, String?, String?, ContentNegotiation.Form)])
  func `the form follows the headers`(
    target: String, accept: String?, agent: String?, form: ContentNegotiation.Form
  ) {
    var headers = HTTPHeaders()
    headers[HeaderName.accept] = accept
    headers["User-Agent"] = agent

    let negotiation = ContentNegotiation(
      RequestTarget(parsing: target), headers, otherwise: .english)

    expect(negotiation.form, form)
  }

  /// What programs send that make previews of shared links, and what clients send that want JSON.
  @Test(
    arguments: [
      ("*/*", "facebookexternalhit/1.1", .html), ("*/*", "Slackbot-LinkExpanding 1.0", .html),
      ("*/*", "Twitterbot/1.0", .html), ("*/*", "TelegramBot (like TwitterBot)", .html),
      ("*/*", "WhatsApp/2.23.20.0", .html), ("*/*", "kakaotalk-scrap/1.0", .html),
      ("*/*", "Mozilla/5.0 (compatible; Discordbot/2.0)", .html),
      ("*/*;q=0.8", "LinkedInBot/1.0", .html), ("image/*, */*", "bot", .html),
      ("text/html, */*", "bot", .html), ("*/*", nil, .html),
      ("text/html;q=0.9,*/*;q=0.8", "Applebot/0.1", .html),
      (nil, "bot", .api), ("", "bot", .api), ("application/json, */*", "bot", .api),
      ("application/*, */*", "bot", .api), ("application/json;q=0.5, */*", "bot", .html),
      ("text/html;q=0.5, */*", "bot", .api), ("image/*", "bot", .api), ("*/*;q=0", "bot", .api),
      ("*/*", "curl/8.5.0", .text(isColored: true)), ("*/*", "Wget/1.21", .text(isColored: true)),
      (nil, "curl/8.5.0", .text(isColored: true)), ("application/json", "curl/8.5.0", .api),
    ] as [(String?, String?, ContentNegotiation.Form)])
  func `with a public address, who takes anything gets HTML`(
    accept: String?, agent: String?, form: ContentNegotiation.Form
  ) async {
    var headers = HTTPHeaders()
    headers[HeaderName.accept] = accept
    headers["User-Agent"] = agent

    expect(
      ContentNegotiation("/", headers, otherwise: .english, prefersHTML: true).form, form)
  }

  @Test(arguments: [
    ("ko-KR,ko;q=0.9,en-US;q=0.8", Language.korean), ("en-US,en;q=0.9,ko;q=0.1", .english),
    ("en;q=0.2, ko", .korean), ("de, ko;q=0.5", .korean), ("de", .english), ("", .english),
    ("*", .english), ("KO", .korean), ("ko;q=0, en;q=0.1", .english), ("kok", .english),
  ])
  func `the language is the one that is wanted most`(accepted: String, language: Language) {
    let negotiation = ContentNegotiation("/", ["Accept-Language": accepted], otherwise: .english)

    expect(negotiation.language, language)
  }

  @Test func `who asks for no language gets the server's`() {
    expect(ContentNegotiation("/", [:], otherwise: .korean).language, .korean)
  }
}

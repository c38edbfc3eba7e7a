package import MarketModel
package import SafeTextKit

/// Location of a market: a file of this computer, or a server.
package nonisolated enum MarketLocation: Hashable, Sendable {
  /// The file that is opened by default.
  case local
  /// Market file, by its absolute path.
  case file(String)
  case server(address: String)

  /// The path or the address; nil for the local market.
  package var text: String? {
    switch self {
    case .local: nil
    case .file(let path): path
    case .server(let address): address
    }
  }

  package var isServer: Bool {
    switch self {
    case .local, .file: false
    case .server: true
    }
  }
}

/// Market that is remembered or open, with its name and location.
package nonisolated struct KnownMarket: Hashable, Sendable {
  package let key: MarketKey
  /// Name set by the user, else one taken from the location; nil for the local market.
  package let name: SafeText?
  package let location: MarketLocation
  /// Whether the settings file names the market.
  package let isRemembered: Bool
  package let opensAtStart: Bool

  /// Title of the market: the user's name for it, else its own name `said`, for a server with the
  /// address.
  package func title(saying said: String?) -> SafeText? {
    guard !isRemembered, let said else { return name }
    return location.isServer ? SafeText(said) + " · " + (name ?? .empty) : SafeText(said)
  }

  package init(
    key: MarketKey, name: SafeText?, location: MarketLocation, isRemembered: Bool = false,
    opensAtStart: Bool = false
  ) {
    self.key = key
    self.name = name
    self.location = location
    self.isRemembered = isRemembered
    self.opensAtStart = opensAtStart
  }
}

/// Port to the markets in the settings file.
@MainActor package protocol MarketDirectory: AnyObject {
  /// The local market and the remembered ones, in the order of the file.
  var markets: [KnownMarket] { get }
  /// Reads the settings file again.
  func refresh()
  /// Market at a typed address or path; nil if the text is neither.
  func market(at text: String) -> KnownMarket?
  /// Adds a market under a new name.
  func remember(_ market: KnownMarket, as name: String) async -> DirectoryAnswer
  func rename(_ market: KnownMarket, to name: String) async -> DirectoryAnswer
  /// Removes the name; the market itself is unchanged.
  func forget(_ market: KnownMarket) async -> DirectoryAnswer
  /// Sets the market that the program opens at start.
  func openAtStart(_ market: KnownMarket) async -> DirectoryAnswer
  /// Suggests an unused name for a market that has none.
  func freeName(for market: KnownMarket) -> String
  /// Command line that serves a market; nil for one that is on a server.
  func serveCommand(for market: KnownMarket) -> String?
}

/// Result of a change of the directory, with the sentence to show.
package nonisolated struct DirectoryAnswer: Hashable, Sendable {
  package let isDone: Bool
  package let sentence: SafeText

  package init(isDone: Bool, _ sentence: SafeText) {
    self.isDone = isDone
    self.sentence = sentence
  }
}

/// Port that asks markets without showing them.
@MainActor package protocol MarketProbe: AnyObject {
  /// Reads the number of products and the latest ones.
  /// - Throws: what `page(_:)` and `capabilities()` of its repository throw, and what
  ///   `MarketOpener.open(_:)` throws.
  func glance(at market: KnownMarket) async throws(RepositoryError) -> MarketSummary
  /// Returns the first `limit` products that a request finds.
  /// - Throws: what `glance(at:)` throws; `.unsupported` for a condition that the market lacks.
  func find(
    _ request: SearchRequest, in market: KnownMarket, atMost limit: Int
  ) async throws(RepositoryError) -> ProductPage
  /// Reads the current state of products, at most `ProductQuery.maxIDs`.
  /// - Throws: what `glance(at:)` throws; `.unsupported` if the market has no queries by id; `.store`
  ///   if its file does not exist.
  func products(
    _ ids: [Product.ID], in market: KnownMarket
  ) async throws(RepositoryError) -> ProductPage

  /// Notes the state of the subjects of alerts, with few requests; the next round asks about what the
  /// previous one left out.
  /// - Throws: what `AlertCheck.check` throws, and what `MarketOpener.open(_:)` throws.
  func check(
    for alerts: [Alert], in market: KnownMarket, round: Int, note: AlertCheck.Note
  ) async throws(RepositoryError)
  /// Account of this computer in a market, read without a request; nil if there is none.
  func account(in market: KnownMarket) async -> SellerAccount?
  /// Reads the news of an account's questions by `QuestionNews.read`; nil where that returns nil.
  /// - Throws: what `QuestionNews.read` throws, and what `MarketOpener.open(_:)` throws.
  func questions(
    of account: SellerAccount, in market: KnownMarket, since reported: ReportedQuestions?
  ) async throws(RepositoryError) -> QuestionNews?
  /// Capabilities of a market as far as they are known without a request; nil if they are not.
  func knownCapabilities(of market: KnownMarket) async -> RepositoryCapabilities?
  /// Whether the market file exists; nil for a server.
  func hasFile(_ market: KnownMarket) -> Bool?
  /// Whether the market still answers at its location with this id; sends a request to a server.
  func isThere(_ market: KnownMarket, as id: MarketID) async -> Bool
  /// Creates an empty market file.
  /// - Throws: `.store` if the file cannot be created.
  func makeFile(_ market: KnownMarket) async throws(RepositoryError)
}

/// Size and latest products of a market, as it reports them.
package nonisolated struct MarketSummary: Hashable, Sendable {
  package let total: ProductTotal
  /// The latest products, in the order of the market's answer.
  package let latest: [Product.ID]
  /// Whether the market has more products than `latest`.
  package let hasMore: Bool
  /// Response time of a server; nil for a file.
  package let elapsed: Duration?
  /// Name of the server's API version; nil for a file.
  package let api: SafeText?
  /// The name that the market's operator has set; nil if there is none.
  package let marketName: String?

  package init(
    total: ProductTotal, latest: [Product.ID], hasMore: Bool = false, elapsed: Duration? = nil,
    api: SafeText? = nil, marketName: String? = nil
  ) {
    self.marketName = marketName
    self.total = total
    self.latest = latest
    self.hasMore = hasMore
    self.elapsed = elapsed
    self.api = api
  }

  /// Number of products that are newer than the newest one of a visit; nil if there was no visit.
  func newCount(since newest: Product.ID?) -> NewCount? {
    guard let newest else { return nil }
    let count = latest.count { $0 > newest }
    return NewCount(count: count, isMore: hasMore && count == latest.count)
  }
}

/// Number of new products, or a lower bound of it if `isMore`.
package nonisolated struct NewCount: Hashable, Sendable {
  package let count: Int
  package let isMore: Bool
}

/// Port that opens and closes markets.
@MainActor package protocol MarketOpener: AnyObject {
  /// Makes the screens of a market; sends no request to a server before `start`.
  /// - Throws: `.store` if its file cannot be opened; `.unreachable` if its address is invalid.
  func open(_ market: KnownMarket) async throws(RepositoryError) -> Navigator
  /// Releases a market whose screens were closed.
  func close(_ navigator: Navigator)
}

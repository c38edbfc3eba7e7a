package import MarketModel
package import SafeTextKit

/// Place of a market: a file of this computer, or a server.
package nonisolated enum MarketLocation: Hashable, Sendable {
  /// The file that is opened unless another is named.
  case local
  /// A market file, by its whole path.
  case file(String)
  case server(address: String)

  /// The path or the address, as a person knows it; nil for the local market.
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

/// Market that is remembered or open: what it is called and where it is.
package nonisolated struct KnownMarket: Hashable, Sendable {
  package let key: MarketKey
  /// Nil is the local market.
  package let name: SafeText?
  package let location: MarketLocation
  /// Whether the settings file has it.
  package let isRemembered: Bool
  package let opensAtStart: Bool

  /// What it is called: as a person has named it, else as it says itself, of a server with its address.
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

/// The port to the markets that a person has named, which stand in the settings file.
@MainActor package protocol MarketDirectory: AnyObject {
  /// The local market, and those that are remembered, in the order of the file.
  var markets: [KnownMarket] { get }
  /// Reads again which are remembered.
  func refresh()
  /// The market that a typed address or path means; nil where it can be neither.
  func market(at text: String) -> KnownMarket?
  /// Keeps a market under a name of its own.
  func remember(_ market: KnownMarket, as name: String) async -> DirectoryAnswer
  func rename(_ market: KnownMarket, to name: String) async -> DirectoryAnswer
  /// Forgets the name; the market itself stays as it is.
  func forget(_ market: KnownMarket) async -> DirectoryAnswer
  /// Has the program begin with this market from now on.
  func openAtStart(_ market: KnownMarket) async -> DirectoryAnswer
  /// A name that is free, for a market that has none yet.
  func freeName(for market: KnownMarket) -> String
  /// The command line that serves a market; nil for one that a server has already.
  func serveCommand(for market: KnownMarket) -> String?
}

/// What came of a change of the directory, in a sentence.
package nonisolated struct DirectoryAnswer: Hashable, Sendable {
  package let isDone: Bool
  package let sentence: SafeText

  package init(isDone: Bool, _ sentence: SafeText) {
    self.isDone = isDone
    self.sentence = sentence
  }
}

/// The port that looks into markets without showing them.
@MainActor package protocol MarketProbe: AnyObject {
  /// Asks a market what there is; throws why it does not say.
  func glance(at market: KnownMarket) async throws(RepositoryError) -> MarketSummary
  /// The first products that a request finds there.
  func find(
    _ request: SearchRequest, in market: KnownMarket, atMost limit: Int
  ) async throws(RepositoryError) -> ProductPage
  /// How some products are now; at most `ProductQuery.maxIDs` of them.
  func products(
    _ ids: [Product.ID], in market: KnownMarket
  ) async throws(RepositoryError) -> ProductPage

  /// Has noted what it says about the subjects of waits, with few requests; a further round asks what
  /// the one before it had to leave out.
  func check(
    for alerts: [Alert], in market: KnownMarket, round: Int, note: AlertCheck.Note
  ) async throws(RepositoryError)
  /// The account of this computer in a market, which is not asked for that; nil where there is none.
  func account(in market: KnownMarket) async -> SellerAccount?
  /// What a market says of the questions of an account, as `QuestionNews.read` asks for it.
  func questions(
    of account: SellerAccount, in market: KnownMarket, since told: ToldQuestions?
  ) async throws(RepositoryError) -> QuestionNews?
  /// What a market can do as far as it has said so already; it is not asked for that.
  func knownCapabilities(of market: KnownMarket) async -> RepositoryCapabilities?
  /// Whether a market file is there; nil for what is no file.
  func hasFile(_ market: KnownMarket) -> Bool?
  /// Whether a market is where it was and says this id; a server is asked.
  func isThere(_ market: KnownMarket, as id: MarketID) async -> Bool
  /// Moves the drafts that an earlier version kept under a former key to the market of another one.
  func moveDrafts(of former: MarketKey, to market: MarketKey) async
  /// Takes those that this market has to be given where nobody is asked.
  func takeDrafts(of market: MarketKey) async
  /// Makes an empty market file.
  func makeFile(_ market: KnownMarket) async throws(RepositoryError)
}

/// What a market says of itself.
package nonisolated struct MarketSummary: Hashable, Sendable {
  package let total: ProductTotal
  /// The latest products, in whatever order the market has them.
  package let latest: [Product.ID]
  /// Whether there are more than these.
  package let hasMore: Bool
  /// How long a server took; nil for a file of this computer.
  package let elapsed: Duration?
  /// The API that a server speaks, by its name; nil for a file.
  package let api: SafeText?
  /// What its operator calls it; nil where it has no name.
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

  /// How many products came after the newest one of a visit; nil where nobody was there before.
  func newCount(since newest: Product.ID?) -> NewCount? {
    guard let newest else { return nil }
    let count = latest.count { $0 > newest }
    return NewCount(count: count, isMore: hasMore && count == latest.count)
  }
}

/// How many products are new, or that there are more than were looked at.
package nonisolated struct NewCount: Hashable, Sendable {
  package let count: Int
  package let isMore: Bool
}

/// The port that opens markets and closes them again.
@MainActor package protocol MarketOpener: AnyObject {
  /// Makes the screens of a market; of a server nothing is asked before `start`.
  func open(_ market: KnownMarket) async throws(RepositoryError) -> Navigator
  /// Lets go of a market whose screens nobody can come back to.
  func close(_ navigator: Navigator)
}

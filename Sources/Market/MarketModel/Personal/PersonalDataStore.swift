/// The port to what a person keeps: one private file of this home, shared by all running programs.
///
/// What cannot be read is empty, and what cannot be kept is said by the answer: nothing here keeps the
/// program from starting.
package protocol PersonalDataStore: Sendable {
  // MARK: Searches

  /// What was asked before, the latest first, each text once.
  func pastSearches(atMost limit: Int) async -> [String]
  /// Keeps what was asked just now.
  func didSearch(for text: String) async

  /// The searches that have a name, by their names.
  func savedSearches() async -> [SavedSearch]
  /// Keeps a search in the place of one of the same name; false where that failed.
  func save(_ search: SavedSearch) async -> Bool
  func forgetSearch(named name: String) async

  // MARK: Visits

  /// The last visit to a market that has ended; nil where there was none.
  func lastVisit(to market: MarketKey) async -> Visit?
  /// Takes note that a person looks at a market: the visit begins with the first such note, and ends
  /// with the last program of this home, or 30 minutes after the last note.
  func isVisiting(_ market: MarketKey, newest: Product.ID?) async
  /// Takes note that this program shows the market no more.
  func didLeave(_ market: MarketKey) async

  // MARK: Products that were on the screen

  /// What is known of those products among some that were on the screen before.
  ///
  /// `visit` is when the last visit ended: the former price is that of then.
  func seenProducts(
    of products: [Product.ID], in market: MarketKey, before visit: Timestamp?
  ) async -> [Product.ID: SeenRecord]
  /// Takes note of what was on the screen just now.
  func didSee(_ products: [SeenProduct], in market: MarketKey) async
  /// Takes note that all products up to one count as seen, until the next visit has a newest of its
  /// own.
  func didSeeAll(through newest: Product.ID, in market: MarketKey) async
  /// The prices at which a product was seen, the oldest first.
  func prices(of product: Product.ID, in market: MarketKey) async -> [PricePoint]

  // MARK: Products whose details were opened

  /// Takes note that the detail of a product was opened just now.
  func didView(_ product: Product, of market: FavoriteMarket) async
  /// The products of all markets whose details were opened, the latest first.
  func viewedProducts() async -> [ViewedProduct]
  func forgetViewed(_ product: Product.ID, in market: MarketKey) async

  // MARK: Favorites

  /// Which products and sellers of a market are kept.
  func favoriteMarks(of market: MarketKey) async -> FavoriteMarks

  /// Keeps a product as it is now; one that was let go of a moment ago comes back with its note.
  func add(
    _ product: Product, description: String?, of market: FavoriteMarket
  ) async -> FavoriteResult
  /// Keeps a seller, who was met by a product.
  func add(_ seller: Seller, by product: Product.ID, of market: FavoriteMarket) async
    -> FavoriteResult
  /// Lets go of a product or seller; false where that failed.
  func remove(_ key: FavoriteKey) async -> Bool
  /// Keeps again what was let go of a moment ago; false where that failed.
  func restore(_ key: FavoriteKey) async -> Bool
  /// Writes a note to what is kept, of at most `FavoriteNoteRules.longest` characters; an empty one is none.
  func write(_ note: String, to key: FavoriteKey) async -> Bool

  /// What is kept with all of these words in it, the latest first.
  func favoriteList(of words: [String]) async -> FavoriteList
  /// Some of it; what is not there any more is left out.
  func favoriteProducts(_ ids: [FavoriteID]) async -> [FavoriteProduct]
  func favoriteSellers(_ ids: [FavoriteID]) async -> [FavoriteSeller]
  func favoriteProduct(_ id: Product.ID, in market: MarketKey) async -> FavoriteProduct?
  /// The kept picture of a product, a small file; nil where there is none.
  func favoritePicture(of id: FavoriteID) async -> [UInt8]?
  /// The products of each market that were kept last, at most so many of each.
  func latestFavorites(ofEach limit: Int) async -> [FavoriteMarket: [Product.ID]]

  /// Takes over how products are now where they are kept, and answers which of them lack a picture.
  func didSeeFavorites(_ products: [Product], in market: MarketKey) async -> [Product.ID]
  func didSeeFavorites(_ description: String, of product: Product.ID, in market: MarketKey) async
  /// Takes note that products are not in a market any more.
  func didLoseFavorites(_ products: [Product.ID], in market: MarketKey) async
  /// Keeps a small file as the picture of a kept product.
  func add(_ picture: [UInt8], of product: Product, in market: MarketKey) async

  // MARK: Alerts

  /// All alerts, the latest first.
  func alerts() async -> [Alert]
  /// Sets an alert, replacing one for the same; false where no more can be saved.
  func begin(_ alert: Alert) async -> Bool
  func end(_ alert: Alert.ID) async

  /// Takes note of what markets said, and answers what is to be told.
  ///
  /// Each alert that fired is given to one of all programs of this home.
  func note(_ observations: [AlertObservation]) async -> [TriggeredAlert]

  /// Takes note that a market was looked at, and whether it answered.
  func didLook(in market: MarketKey, hasAnswered: Bool) async
  /// Since when markets have not answered that did not answer when they were looked at last.
  func unresponsiveMarkets() async -> [MarketKey: Timestamp]

  /// What has come, the latest first.
  func triggeredAlerts(atMost limit: Int) async -> [TriggeredAlert]
  /// How many of them nobody has looked at.
  func unseenAlerts() async -> Int
  /// Somebody looks at all that has come.
  func didSeeAlerts() async
  func forget(_ triggered: TriggeredAlert.ID) async

  /// How far the questions of a market were told; nil before the first look.
  func toldQuestions(in market: MarketKey) async -> ToldQuestions?
  /// Takes note of what a market says of questions, and answers what is to be told, by one of all
  /// programs of this home.
  func note(_ news: QuestionNews) async -> [TriggeredAlert]

  // MARK: Markets by the ids that they gave themselves

  // An id is a stranger's word: it leads to a question, and to nothing else.

  /// Takes note that a market said its id, and answers where the person knows a market of that id from.
  ///
  /// Nil where something of this market is kept already, where nothing is kept of the other one, and
  /// where the person has declined.
  @discardableResult
  func didIdentify(_ id: MarketID, at market: MarketKey) async -> FavoriteMarket?
  /// Moves all that is kept of a market to the place where it is now; false where that failed, and
  /// nothing has changed.
  func move(from old: MarketKey, to market: FavoriteMarket) async -> Bool
  /// What an earlier version kept of a market and of others under one key, where nobody has said yet
  /// to which it belongs; `move` takes it there.
  func legacySharedData(of market: MarketKey) async -> LegacySharedData?
  /// Takes note that a market is not to be asked about any more, whatever id it says.
  func decline(at market: MarketKey) async
}

/// A search with a name, as the search line says it.
package struct SavedSearch: Hashable, Identifiable, Sendable {
  package var name: String
  package var text: String

  package var id: String { name }

  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// A visit to a market that has ended.
package struct Visit: Hashable, Sendable {
  package var ended: Timestamp
  /// The newest product that there was, or up to which all were marked as seen; nil where none was
  /// seen.
  package var newest: Product.ID?

  package init(ended: Timestamp, newest: Product.ID?) {
    self.ended = ended
    self.newest = newest
  }
}

/// What an earlier version kept under one key of a market and of others.
package struct LegacySharedData: Hashable, Sendable {
  /// Its key then.
  package let former: MarketKey
  /// The others, the one that was used first at the beginning; at least one.
  package let others: [MarketKey]

  package init(former: MarketKey, others: [MarketKey]) {
    self.former = former
    self.others = others
  }
}

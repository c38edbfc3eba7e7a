/// The port to a user's personal data: one private file of the home folder, shared by all running
/// programs.
///
/// Reads return empty results where the file is unreadable, and writes report failure by their
/// result: no failure keeps a program from starting.
package protocol PersonalDataStore: Sendable {
  // MARK: Searches

  /// Returns past searches, the latest first, without duplicates.
  func pastSearches(atMost limit: Int) async -> [String]
  /// Adds a search to the history.
  func didSearch(for text: String) async

  /// Returns the named searches, ordered by name.
  func savedSearches() async -> [SavedSearch]
  /// Saves a search, replacing one of the same name; false where that failed.
  func save(_ search: SavedSearch) async -> Bool
  func forgetSearch(named name: String) async

  // MARK: Visits

  /// Returns the last completed visit to a market; nil where there was none.
  func lastVisit(to market: MarketKey) async -> Visit?
  /// Records that the user looks at a market.
  ///
  /// The first call begins a visit, which ends when the last program of this home leaves, or 30
  /// minutes after the last call.
  func isVisiting(_ market: MarketKey, newest: Product.ID?) async
  /// Records that this program no longer shows the market.
  func didLeave(_ market: MarketKey) async

  // MARK: Products that were on the screen

  /// Returns the records of those products that were on the screen before.
  ///
  /// `visit` is the end of the last visit: `SeenRecord.previous` is the price at that time.
  func seenProducts(
    of products: [Product.ID], in market: MarketKey, before visit: Timestamp?
  ) async -> [Product.ID: SeenRecord]
  /// Records the products on the screen.
  func didSee(_ products: [SeenProduct], in market: MarketKey) async
  /// Records that all products up to `newest` count as seen, until the next visit has a newer one.
  func didSeeAll(through newest: Product.ID, in market: MarketKey) async
  /// Returns the prices seen for a product, the oldest first.
  func prices(of product: Product.ID, in market: MarketKey) async -> [PricePoint]

  // MARK: Products whose details were opened

  /// Records that the detail of a product was opened.
  func didView(_ product: Product, of market: FavoriteMarket) async
  /// Returns viewed products of all markets, the latest first.
  func viewedProducts() async -> [ViewedProduct]
  func forgetViewed(_ product: Product.ID, in market: MarketKey) async

  // MARK: Favorites

  /// Returns the favorites of a market.
  func favoriteMarks(of market: MarketKey) async -> FavoriteMarks

  /// Adds a product as a favorite; one removed shortly before returns with its note.
  func add(
    _ product: Product, description: String?, of market: FavoriteMarket
  ) async -> FavoriteResult
  /// Adds a seller as a favorite, with the product that showed the seller.
  func add(_ seller: Seller, by product: Product.ID, of market: FavoriteMarket) async
    -> FavoriteResult
  /// Removes a favorite; false where that failed.
  func remove(_ key: FavoriteKey) async -> Bool
  /// Restores a favorite removed shortly before; false where that failed.
  func restore(_ key: FavoriteKey) async -> Bool
  /// Saves a note on a favorite, of at most `FavoriteNoteRules.longest` characters, or deletes it
  /// where empty; false where that failed.
  func write(_ note: String, to key: FavoriteKey) async -> Bool

  /// Returns the favorites that contain all of these words, the latest first.
  func favoriteList(of words: [String]) async -> FavoriteList
  /// Returns favorite products by id; removed ones are left out.
  func favoriteProducts(_ ids: [FavoriteID]) async -> [FavoriteProduct]
  func favoriteSellers(_ ids: [FavoriteID]) async -> [FavoriteSeller]
  func favoriteProduct(_ id: Product.ID, in market: MarketKey) async -> FavoriteProduct?
  /// Returns the small picture file of a favorite product; nil where there is none.
  func favoritePicture(of id: FavoriteID) async -> [UInt8]?
  /// Returns the latest favorite products of each market, at most `limit` of each.
  func latestFavorites(ofEach limit: Int) async -> [FavoriteMarket: [Product.ID]]

  /// Updates favorites with products as they are now, and returns those without a saved picture.
  func didSeeFavorites(_ products: [Product], in market: MarketKey) async -> [Product.ID]
  func didSeeFavorites(_ description: String, of product: Product.ID, in market: MarketKey) async
  /// Records that favorites are no longer in their market.
  func didLoseFavorites(_ products: [Product.ID], in market: MarketKey) async
  /// Saves a small picture file for a favorite product.
  func add(_ picture: [UInt8], of product: Product, in market: MarketKey) async

  // MARK: Alerts

  /// Returns all alerts, the latest first.
  func alerts() async -> [Alert]
  /// Sets an alert, replacing one for the same subject and condition; false where no more can be
  /// saved.
  func add(_ alert: Alert) async -> Bool
  func end(_ alert: Alert.ID) async

  /// Updates the alerts with pages of their markets, and returns what fired, to one of all programs
  /// of this home.
  func record(_ observations: [AlertObservation]) async -> [TriggeredAlert]

  /// Records that a market was checked, and whether it answered.
  func didLook(in market: MarketKey, hasAnswered: Bool) async
  /// Returns the markets that did not answer at their last check, and since when.
  func unresponsiveMarkets() async -> [MarketKey: Timestamp]

  /// Returns fired alerts, the latest first.
  func triggeredAlerts(atMost limit: Int) async -> [TriggeredAlert]
  /// Returns the number of fired alerts that the user has not seen.
  func unseenAlerts() async -> Int
  /// Marks all fired alerts as seen.
  func didSeeAlerts() async
  func forget(_ triggered: TriggeredAlert.ID) async

  /// Returns which questions of a market were already reported; nil before the first check.
  func reportedQuestions(in market: MarketKey) async -> ReportedQuestions?
  /// Adds a market's news to the reported questions, and returns the new ones; of several programs of
  /// this home only the first gets them.
  func record(_ news: QuestionNews) async -> [TriggeredAlert]

  // MARK: Markets by id

  // An id is untrusted: it only makes the program ask the user.

  /// Records the id that a market reported, and returns the previous location of that id.
  ///
  /// Nil where this market has personal data already, where the other one has none, and where the
  /// user has declined.
  @discardableResult
  func didIdentify(_ id: MarketID, at market: MarketKey) async -> FavoriteMarket?
  /// Moves all personal data of a market to its new location; false where that failed and nothing
  /// changed.
  func move(from old: MarketKey, to market: FavoriteMarket) async -> Bool
  /// Records that the user must not be asked about this market again, even if it reports another id.
  func decline(at market: MarketKey) async
}

/// Named search, as a search line.
package struct SavedSearch: Hashable, Identifiable, Sendable {
  package var name: String
  package var text: String

  package var id: String { name }

  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// Completed visit to a market.
package struct Visit: Hashable, Sendable {
  package var ended: Timestamp
  /// Newest product during the visit, or up to which all were marked as seen; nil where none was
  /// seen.
  package var newest: Product.ID?

  package init(ended: Timestamp, newest: Product.ID?) {
    self.ended = ended
    self.newest = newest
  }
}

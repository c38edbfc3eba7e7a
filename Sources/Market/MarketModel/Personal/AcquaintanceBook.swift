/// The port to the markets that a person knows by the ids that they gave themselves.
///
/// An id is a stranger's word: it leads to a question, and to nothing else.
package protocol AcquaintanceBook: Sendable {
  /// Takes note that a market said its id, and answers where the person knows a market of that id from.
  ///
  /// Nil where something of this market is kept already, where nothing is kept of the other one, and
  /// where the person has declined.
  @discardableResult
  func didMeet(_ id: MarketID, at market: MarketKey) async -> KeptMarket?
  /// Moves all that is kept of a market to the place where it is now; false where that failed, and
  /// nothing has changed.
  func move(from old: MarketKey, to market: KeptMarket) async -> Bool
  /// Takes note that a market is not to be asked about any more, whatever id it says.
  func decline(at market: MarketKey) async
}

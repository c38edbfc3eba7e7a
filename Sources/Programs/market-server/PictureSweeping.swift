import CommandKit
import MarketModel
import MarketStrings
import SafeText
import StoreCore

/// The sweeps of a server that keeps pictures outside of its database, as long as it runs.
///
/// Servers of one market may all sweep: they take turns by marks in the database.
struct PictureSweeping {
  private static let pause = Duration.seconds(600)
  /// A day, in which whoever has read of a picture, or was about to refer to it, comes to its end.
  private static let restSeconds: Int64 = 86_400

  private let market: any OperatedMarket
  private let place: PicturePlace?
  private let strings: Strings

  init(of market: any OperatedMarket, _ options: ServerOptions) {
    self.market = market
    place = options.picturePlace
    strings = options.strings
  }

  /// Sweeps until it is cancelled; what fails is told, and tried again the next time.
  func run() async {
    guard let place else { return }
    let name = SafeText(place.word)
    while !Task.isCancelled {
      do throws(RepositoryError) {
        let count = try await market.sweepPictures(unusedForSeconds: Self.restSeconds)
        // Nothing to do for a server of a copy, however long it runs.
        if count == nil { return Console.warn(strings(.picturesOfOther, name)) }
      } catch {
        guard !Task.isCancelled else { return }
        // A server of a database that follows another one leaves that to the others.
        if error != .store(.readOnly) {
          Console.warn(strings(.picturesNotSwept, name, SafeText(error.reason)))
        }
      }
      try? await Task.sleep(for: Self.pause)
    }
  }
}

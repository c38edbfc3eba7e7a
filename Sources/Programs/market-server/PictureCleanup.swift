import CommandKit
import Glibc
import MarketModel
import MarketStrings
import SafeTextKit
import StoreCore

/// The sweeps of a server that keeps pictures outside of its database, as long as it runs.
///
/// Servers of one market may all sweep: they take turns by marks in the database.
struct PictureCleanup {
  private static let pause = Duration.seconds(600)
  /// A day, in which whoever has read of a picture, or was about to refer to it, comes to its end.
  private static let restSeconds: Int64 = 86_400

  private let market: any OperatedMarket
  private let location: PictureStorageLocation?
  private let strings: Strings

  init(of market: any OperatedMarket, _ options: ServerOptions) {
    self.market = market
    location = options.pictureStorageLocation
    strings = options.strings
  }

  /// Sweeps until it is cancelled; what fails is told, and tried again the next time.
  func run() async {
    guard let location else { return }
    let name = SafeText(location.word)
    if let sentence = location.missingFolder(strings) { Console.warn(sentence) }
    while !Task.isCancelled {
      do throws(RepositoryError) {
        let count = try await market.sweepPictures(unusedForSeconds: Self.restSeconds)
        // Nothing to do for a server of a copy, however long it runs.
        if count == nil { return Console.warn(strings(.picturesOfOther, name)) }
      } catch {
        guard !Task.isCancelled else { return }
        // A server of a database that follows another one leaves that to the others.
        if error != .store(.readOnly), location.missingFolder(strings) == nil {
          Console.warn(strings(.picturesNotSwept, name, SafeText(error.reason)))
        }
      }
      try? await Task.sleep(for: Self.pause)
    }
  }
}

extension PictureStorageLocation {
  /// Sentence about a folder that is not there; nil for one that is, and for a bucket.
  func missingFolder(_ strings: Strings) -> SafeText? {
    guard case .folder(let path) = self, access(path, F_OK) != 0, errno == ENOENT else {
      return nil
    }
    return strings(.picturesNoFolder, SafeText(path))
  }
}

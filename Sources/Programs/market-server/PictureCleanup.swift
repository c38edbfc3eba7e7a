import CommandKit
import Glibc
import MarketModel
import MarketStrings
import SafeTextKit
import StoreCore

/// Periodic deletion of unused pictures in a storage outside of the database.
///
/// Several servers of one market may run it: they take turns by marks in the database.
struct PictureCleanup {
  /// Pause between two cleanups.
  private static let pause = Duration.seconds(600)
  /// Seconds for which an unused picture is kept: a day, in which clients that have read of it, or are
  /// about to refer to it, are done.
  private static let restSeconds: Int64 = 86_400

  private let market: any OperatedMarket
  private let location: PictureStorageLocation?
  private let strings: Strings

  init(of market: any OperatedMarket, _ options: ServerOptions) {
    self.market = market
    location = options.pictureStorageLocation
    strings = options.strings
  }

  /// Cleans up until cancelled; failures are printed and retried at the next time.
  func run() async {
    guard let location else { return }
    let name = SafeText(location.word)
    if let sentence = location.missingFolder(strings) { Console.warn(sentence) }
    while !Task.isCancelled {
      do throws(RepositoryError) {
        let count = try await market.sweepPictures(unusedForSeconds: Self.restSeconds)
        // A server of a copied market has nothing to clean up.
        if count == nil { return Console.warn(strings(.picturesOfOther, name)) }
      } catch {
        guard !Task.isCancelled else { return }
        // A server of a read-only replica leaves the cleanup to others.
        if error != .store(.readOnly), location.missingFolder(strings) == nil {
          Console.warn(strings(.picturesNotSwept, name, SafeText(error.reason)))
        }
      }
      try? await Task.sleep(for: Self.pause)
    }
  }
}

extension PictureStorageLocation {
  /// Sentence about a missing folder; nil if it exists or the storage is a bucket.
  func missingFolder(_ strings: Strings) -> SafeText? {
    guard case .folder(let path) = self, access(path, F_OK) != 0, errno == ENOENT else {
      return nil
    }
    return strings(.picturesNoFolder, SafeText(path))
  }
}

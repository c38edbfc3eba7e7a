import MarketModel
import MarketViewModels
import Synchronization
import TestSupport

/// Takes every path for a file whose bytes are its name, and encodes by leaving the rest out.
package final class FakePhotoImporter: PhotoImporter {
  private let shown = Mutex<[FormPhoto.ID: [UInt8]]>([:])
  private let listings: [String: FolderListing]
  /// Files that are read when the test lets them, by path.
  private let slow: [String: Gate<String, Void>]

  /// Every folder holds bike.jpg and the folder old, but for these.
  package init(
    _ listings: [String: FolderListing] = [:], waitingFor slow: [String: Gate<String, Void>] = [:]
  ) {
    self.listings = listings
    self.slow = slow
  }

  /// The bytes that are held of photos.
  package var held: [FormPhoto.ID: [UInt8]] { shown.withLock(\.self) }

  package func read(_ path: String) async throws(PhotoProblem) -> [UInt8] {
    guard path != "missing" else { throw .notFound }
    if let gate = slow[path] { try? await gate.pass(path) }
    return Array(path.utf8)
  }

  /// Files named `cut` end too early; the ending of a name is no content.
  package func encode(_ bytes: [UInt8]) -> PreparedPhoto {
    PreparedPhoto(
      bytes: bytes.firstIndex(of: UInt8(ascii: ".")).map { Array(bytes[...$0]) } ?? bytes,
      fileBytes: bytes.count,
      hints: String(decoding: bytes, as: UTF8.self).hasSuffix("cut.jpg") ? [.photoCut] : [])
  }

  /// Files of telephones end in `.heic`.
  package func canShow(_ bytes: [UInt8]) -> Bool {
    !String(decoding: bytes, as: UTF8.self).hasSuffix(".heic")
  }

  package func show(_ bytes: [UInt8], as id: FormPhoto.ID) {
    shown.withLock { $0[id] = bytes }
  }

  package func forget(_ id: FormPhoto.ID) { shown.withLock { $0[id] = nil } }

  package func listing(of folder: String) -> FolderListing {
    listings[folder]
      ?? FolderListing([
        FolderEntry(name: "bike.jpg", isFolder: false), FolderEntry(name: "old", isFolder: true),
      ])
  }

  /// Seven files for every pattern but one that begins with `no`.
  package func files(matching pattern: String) -> [String] {
    pattern.hasPrefix("no") ? [] : (1...7).map { "/match/\($0).jpg" }
  }

  package func hasFile(_ path: String) -> Bool { false }
}

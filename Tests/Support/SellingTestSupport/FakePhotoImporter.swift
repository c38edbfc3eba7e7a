import MarketViewModels
import Synchronization

/// Takes every path for a file whose bytes are its name, and encodes by leaving the rest out.
package actor FakePhotoImporter: PhotoImporter {
  private let shown = Mutex<[FormPhoto.ID: [UInt8]]>([:])

  package init() {}

  /// The bytes that are held of photos.
  nonisolated package var held: [FormPhoto.ID: [UInt8]] { shown.withLock(\.self) }

  package func read(_ path: String) throws(PhotoProblem) -> [UInt8] {
    guard path != "missing" else { throw .notFound }
    return Array(path.utf8)
  }

  package func encode(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(3)) }

  nonisolated package func show(_ bytes: [UInt8], as id: FormPhoto.ID) {
    shown.withLock { $0[id] = bytes }
  }

  nonisolated package func forget(_ id: FormPhoto.ID) { shown.withLock { $0[id] = nil } }

  package func entries(of folder: String) -> [FolderEntry] {
    [FolderEntry(name: "bike.jpg", isFolder: false), FolderEntry(name: "old", isFolder: true)]
  }

  package func hasFile(_ path: String) -> Bool { false }
}

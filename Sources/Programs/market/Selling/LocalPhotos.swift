import DispatchBridge
import Glibc
import MarketModel
import MarketViewModels
import PictureKit
import Posix
import Synchronization

/// The seller's own files: reads and encodes them, and lets the gallery draw them beside the
/// market's pictures.
final class LocalPhotos: PhotoImporter {
  /// Photos that are being shown, by the names under which a gallery asks for them.
  nonisolated private let shown = Mutex<[String: [UInt8]]>([:])
  nonisolated private let encoder = PhotoEncoder()
  nonisolated private let files = FileReader()
  nonisolated private let previews: PictureDecodingQueue

  nonisolated init(previews: PictureDecodingQueue = PictureDecodingQueue()) {
    self.previews = previews
  }

  nonisolated func read(_ path: String) async throws(PhotoProblem) -> [UInt8] {
    try await files.read(path)
  }

  /// Encodes when the preview is there: both at once would leave the keys no core of two.
  nonisolated func encode(_ bytes: [UInt8]) async throws(PhotoProblem) -> [UInt8] {
    // The frame that asks for the preview is on the main queue already.
    await MainActor.run {}
    await previews.whenIdle()
    do {
      return try await encoder.encode(bytes).bytes
    } catch {
      switch error {
      case .tooLarge: throw .tooLarge
      case .cancelled: throw .cancelled
      case .missing, .unreachable, .undecodable: throw .notAPicture
      }
    }
  }

  nonisolated func show(_ bytes: [UInt8], as id: FormPhoto.ID) {
    shown.withLock { $0[id.rawValue] = bytes }
  }

  nonisolated func forget(_ id: FormPhoto.ID) {
    shown.withLock { $0[id.rawValue] = nil }
  }

  nonisolated func entries(of folder: String) async -> [FolderEntry] {
    await files.entries(of: folder)
  }

  nonisolated func hasFile(_ path: String) async -> Bool { await files.hasFile(path) }

  /// The bytes behind a name that no market knows; nil for all others.
  nonisolated fileprivate func bytes(
    of locator: String
  ) async throws(PictureError) -> [UInt8]? {
    if let bytes = shown.withLock({ $0[locator] }) { return bytes }
    // It was let go of; no market has it either.
    if locator.hasPrefix("photo:") { throw .missing }
    guard locator.hasPrefix("file:") else { return nil }
    do {
      return try await files.read(String(locator.dropFirst("file:".count)))
    } catch {
      throw .undecodable
    }
  }
}

/// The pictures of a market, and those that are on their way to it.
nonisolated struct PicturesWithLocal: PictureSource {
  let market: any PictureSource
  let local: LocalPhotos

  func bytes(
    of picture: Picture, _ rendition: PictureRendition
  ) async throws(PictureError) -> [UInt8] {
    if let bytes = try await local.bytes(of: picture.original) { return bytes }
    return try await market.bytes(of: picture, rendition)
  }

  func bytes(
    of picture: Picture, _ rendition: PictureRendition, atMost limit: Int
  ) async throws(PictureError) -> [UInt8] {
    if let bytes = try await local.bytes(of: picture.original) { return bytes }
    return try await market.bytes(of: picture, rendition, atMost: limit)
  }
}

/// Reader of files on a queue of its own: a network drive may take its time.
private actor FileReader {
  private let executor = QueueExecutor(label: "photos.files")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private static let longestFile = 50_000_000
  private static let endings = ["jpg", "jpeg", "png", "webp", "gif"]

  func read(_ path: String) throws(PhotoProblem) -> [UInt8] {
    guard access(path, F_OK) == 0 else { throw .notFound }
    guard Folder.isFile(path) else { throw .notAFile }
    guard access(path, R_OK) == 0 else { throw .unreadable }
    guard let bytes = try? PrivateFile.read(path, limit: Self.longestFile) else { throw .tooLarge }
    guard PictureFormat(sniffing: bytes) != nil else { throw .notAPicture }
    return bytes
  }

  func entries(of folder: String) -> [FolderEntry] {
    Folder.entries(of: folder)
      .filter { !$0.name.hasPrefix(".") && ($0.isFolder || Self.isPicture($0.name)) }
      .map { FolderEntry(name: $0.name, isFolder: $0.isFolder) }
      .sorted { ($0.isFolder ? 0 : 1, $0.name) < ($1.isFolder ? 0 : 1, $1.name) }
  }

  func hasFile(_ path: String) -> Bool { Folder.isFile(path) }

  private static func isPicture(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return endings.contains(name[name.index(after: dot)...].lowercased())
  }
}

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
  nonisolated private let folders = PhotoFolders()
  nonisolated private let previews: PictureDecodingQueue
  /// Whose photos all come from: of this computer a guest sees the tray alone.
  nonisolated private let guest: Guest?

  nonisolated init(
    previews: PictureDecodingQueue = PictureDecodingQueue(), of guest: Guest? = nil
  ) {
    self.previews = previews
    self.guest = guest
  }

  /// Reads a file, also where its name is composed in another way on the disk than in the path.
  nonisolated func read(_ path: String) async throws(PhotoProblem) -> [UInt8] {
    if let guest {
      guard let photoInbox = guest.photoInbox else { throw .notFound }
      return try photoInbox.bytes(named: path)
    }
    do {
      return try await files.read(path)
    } catch {
      guard error == .notFound, let twin = await folders.existing(path) else { throw error }
      return try await files.read(twin)
    }
  }

  /// Encodes when the preview is there: both at once would leave the keys no core of two.
  nonisolated func encode(_ bytes: [UInt8]) async throws(PhotoProblem) -> PreparedPhoto {
    // The frame that asks for the preview is on the main queue already.
    await MainActor.run {}
    await previews.whenIdle()
    do {
      let photo = try await encoder.encode(bytes)
      return PreparedPhoto(bytes: photo.bytes, fileBytes: bytes.count, isCut: photo.isCut)
    } catch {
      switch error {
      case .tooLarge: throw .tooLarge
      case .cancelled: throw .cancelled
      case .missing, .unreachable, .undecodable: throw .damaged
      }
    }
  }

  nonisolated func show(_ bytes: [UInt8], as id: FormPhoto.ID) {
    shown.withLock { $0[id.rawValue] = bytes }
  }

  nonisolated func forget(_ id: FormPhoto.ID) {
    shown.withLock { $0[id.rawValue] = nil }
  }

  nonisolated func listing(of folder: String) async -> FolderListing {
    guest == nil ? await folders.listing(of: folder) : FolderListing()
  }

  nonisolated func files(matching pattern: String) async -> [String] {
    guest == nil ? await folders.files(matching: pattern) : []
  }

  nonisolated func hasFile(_ path: String) async -> Bool {
    guest == nil ? await files.hasFile(path) : false
  }

  /// The bytes behind a name that no market knows; nil for all others.
  ///
  /// Throws `tooLarge` where a file is longer than `limit`.
  nonisolated fileprivate func bytes(
    of locator: String, atMost limit: Int = FileReader.maxFileSize
  ) async throws(PictureError) -> [UInt8]? {
    if let bytes = shown.withLock({ $0[locator] }) { return bytes }
    // It was let go of; no market has it either.
    if locator.hasPrefix("photo:") { throw .missing }
    guard locator.hasPrefix("file:") else { return nil }
    guard guest == nil else { throw .missing }
    // The cursor may have moved on while another file was read.
    guard !Task.isCancelled else { throw .cancelled }
    do {
      return try await files.read(String(locator.dropFirst("file:".count)), limit: limit)
    } catch {
      throw error == .tooLarge ? .tooLarge : .undecodable
    }
  }
}

/// The pictures of a market, and those that are on their way to it.
nonisolated struct LocalPhotoSource: PictureSource {
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
    if let bytes = try await local.bytes(of: picture.original, atMost: limit) { return bytes }
    return try await market.bytes(of: picture, rendition, atMost: limit)
  }
}

/// Reader of files on a queue of its own: a network drive may take its time.
private actor FileReader {
  private let executor = QueueExecutor(label: "photos.files")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  static let maxFileSize = 50_000_000

  func read(_ path: String, limit: Int = maxFileSize) throws(PhotoProblem) -> [UInt8] {
    guard FileName.withPath(path, { access($0, F_OK) }) == 0 else { throw .notFound }
    guard Folder.isFile(path) else { throw .notAFile }
    guard FileName.withPath(path, { access($0, R_OK) }) == 0 else { throw .unreadable }
    guard let bytes = try? PrivateFile.read(path, limit: limit) else { throw .tooLarge }
    guard PictureFormat(sniffing: bytes) != nil else { throw .notAPicture }
    return bytes
  }

  func hasFile(_ path: String) -> Bool { Folder.isFile(path) }
}

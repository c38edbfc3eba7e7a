import DispatchBridge
import Glibc
import MarketModel
import MarketViewModels
import PictureKit
import Posix
import Synchronization

/// Photos in the seller's own files: imports them, and lets the gallery draw them beside the market's
/// pictures.
final class LocalPhotos: PhotoImporter {
  /// Bytes of displayed photos, by the locators under which a gallery requests them.
  nonisolated private let shown = Mutex<[String: [UInt8]]>([:])
  nonisolated private let encoder = PhotoEncoder()
  nonisolated private let files = FileReader()
  nonisolated private let folders = PhotoFolders()
  nonisolated private let previews: PictureDecodingQueue
  /// Guest whose inbox all photos come from; nil reads this computer's files.
  nonisolated private let guest: Guest?

  nonisolated init(
    previews: PictureDecodingQueue = PictureDecodingQueue(), of guest: Guest? = nil
  ) {
    self.previews = previews
    self.guest = guest
  }

  /// Reads a file, also if its name on the disk has another Unicode normalisation.
  /// - Throws: `.notFound`, `.notAFile`, `.unreadable`, `.tooLarge` beyond 50 MB, `.notAPicture`.
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

  /// Encodes a photo after its preview: both at once would leave no core of two for the keyboard.
  /// - Throws: `.tooLarge`, `.cancelled`, `.damaged`.
  nonisolated func encode(_ bytes: [UInt8]) async throws(PhotoProblem) -> PreparedPhoto {
    // The frame that requests the preview is on the main queue already.
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

  /// Bytes of a local photo; nil for a locator of a market.
  /// - Throws: `.missing` for a photo that was forgotten or a guest, `.cancelled`, `.tooLarge` beyond
  ///   `limit`, `.undecodable` for other failures.
  nonisolated fileprivate func bytes(
    of locator: String, atMost limit: Int = FileReader.maxFileSize
  ) async throws(PictureError) -> [UInt8]? {
    if let bytes = shown.withLock({ $0[locator] }) { return bytes }
    // The photo was forgotten; no market has it either.
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

/// Picture source of a market and of local photos that are to be uploaded.
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

/// Reader of files on a queue of its own, since a network drive may be slow.
private actor FileReader {
  private let executor = QueueExecutor(label: "photos.files")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Maximum bytes of a photo's file; beyond it `.tooLarge`.
  static let maxFileSize = 50_000_000

  func read(_ path: String, limit: Int = maxFileSize) throws(PhotoProblem) -> [UInt8] {
    guard FileName.withPath(path, { access($0, F_OK) }) == 0 else { throw .notFound }
    guard Folder.isFile(path) else { throw .notAFile }
    guard FileName.withPath(path, { access($0, R_OK) }) == 0 else { throw .unreadable }
    do throws(SystemError) {
      let bytes = try PrivateFile.read(path, limit: limit)
      guard PictureFormat(sniffing: bytes) == nil else { return bytes }
    } catch {
      throw error.number == EFBIG ? .tooLarge : .unreadable
    }
    throw .notAPicture
  }

  func hasFile(_ path: String) -> Bool { Folder.isFile(path) }
}

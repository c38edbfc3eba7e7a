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
  nonisolated private let heif: HEIFDecodingQueue
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
    heif = HEIFDecodingQueue(guest?.photoDecoder)
  }

  /// Reads a file, also if its name on the disk has another Unicode normalisation.
  /// - Throws: `.notFound`, `.notAFile`, `.unreadable`, `.tooLarge` beyond 50 MB, `.notAPicture`,
  ///   `.video`.
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
  /// - Throws: `.tooLarge`, `.cancelled`, `.damaged`; `.noHEIF` and `.heifNotHere` for HEIC and AVIF.
  nonisolated func encode(_ bytes: [UInt8]) async throws(PhotoProblem) -> PreparedPhoto {
    // The frame that requests the preview is on the main queue already.
    await MainActor.run {}
    await previews.whenIdle()
    let heic = PhotoContent(sniffing: bytes) == .heif ? try await picture(of: bytes) : nil
    do {
      let photo =
        if let heic { try await encoder.encode(heic) } else { try await encoder.encode(bytes) }
      let isCut: Notice.Hint? = photo.isCut ? .photoCut : nil
      return PreparedPhoto(
        bytes: photo.bytes, fileBytes: bytes.count,
        hints: [isCut, photo.colorFlaw?.hint].compactMap(\.self))
    } catch {
      switch error {
      case .tooLarge: throw .tooLarge
      case .cancelled: throw .cancelled
      case .missing, .unreachable, .undecodable: throw .damaged
      }
    }
  }

  /// Decodes a HEIC or AVIF file in a process.
  nonisolated private func picture(of bytes: [UInt8]) async throws(PhotoProblem) -> HEIFPicture {
    do {
      return try await heif.picture(of: bytes)
    } catch {
      switch error {
      case .undecodable: throw .damaged
      case .tooLarge: throw .tooLarge
      case .noLibrary: throw .noHEIF
      case .notStarted: throw .heifNotHere
      }
    }
  }

  /// Whether the gallery can draw a file before it is encoded; it decodes neither HEIC nor AVIF.
  nonisolated func canShow(_ bytes: [UInt8]) -> Bool { PhotoContent(sniffing: bytes) != .heif }

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
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try PrivateFile.read(path, limit: limit)
    } catch {
      // A film is mostly larger than a photo may be.
      let isVideo = error.number == EFBIG && Self.isVideo(path)
      throw isVideo ? .video : error.number == EFBIG ? .tooLarge : .unreadable
    }
    switch PhotoContent(sniffing: bytes) {
    case .picture, .heif: return bytes
    case .video: throw .video
    case .other: throw .notAPicture
    }
  }

  /// Whether the first bytes of a file are those of a film.
  private static func isVideo(_ path: String) -> Bool {
    let file = FileName.withPath(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return false }
    defer { close(file) }
    let head = try? FileDescriptorIO.read(upTo: 256, from: file)
    return head.map { PhotoContent(sniffing: $0) == .video } ?? false
  }

  func hasFile(_ path: String) -> Bool { Folder.isFile(path) }
}

extension ColorFlaw {
  nonisolated fileprivate var hint: Notice.Hint {
    switch self {
    case .noLibrary: .colorsNotConverted
    case .brokenProfile: .colorsBroken
    }
  }
}

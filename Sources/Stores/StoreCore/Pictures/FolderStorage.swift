import Glibc
import MarketModel
import Posix
import Synchronization

/// Storage of pictures in a folder, which may be on a file system that several servers share.
///
/// The folder must exist: a missing one is a file system that is not mounted, and is not created. Another
/// folder at the same path, such as the bare mount point, is refused as well, unless it has an owner
/// file. Only the servers' user can access the files.
package struct FolderStorage: PictureStorage {
  /// Maximum number of files that are written, read or deleted at once.
  private static let laneCount = 32

  private let path: String
  private let calls: TimeLimitedCalls
  private let temporaryFiles = StaleTemporaryFiles()
  private let identity = DirectoryIdentity()

  /// Each call fails after `timeout`.
  package init(at path: String, timeout: Duration = .seconds(4)) {
    self.path = path
    calls = TimeLimitedCalls("market.pictures", lanes: Self.laneCount, timeout: timeout)
  }

  package func put(_ bytes: [UInt8], at name: String) async throws(PictureStorageError) {
    try await run(at: name) { position throws(SystemError) in
      try makeFolder(of: position)
      try PrivateFile.write(bytes, to: position, sweeping: false)
    }
  }

  package func putFirst(
    _ bytes: [UInt8], at name: String
  ) async throws(PictureStorageError) -> Bool {
    try await run(at: name) { position throws(SystemError) in
      try makeFolder(of: position)
      return try PrivateFile.create(bytes, at: position)
    }
  }

  package func checkWriting() async throws(PictureStorageError) {
    try await run(at: ".") { position throws(SystemError) in
      guard faccessat(AT_FDCWD, position, W_OK | X_OK, AT_EACCESS) == 0 else { throw .last }
    }
  }

  private func makeFolder(of position: String) throws(SystemError) {
    let folder = Folder.containing(position)
    if mkdir(folder, 0o700) == 0 {
      try Folder.sync(path)
    } else if errno != EEXIST {
      throw .last
    }
  }

  package func bytes(
    at name: String, atMost limit: Int
  ) async throws(PictureStorageError) -> [UInt8]? {
    try await run(at: name) { position throws(SystemError) -> [UInt8]? in
      do throws(SystemError) {
        return try PrivateFile.read(position, limit: limit)
      } catch {
        guard error.number == ENOENT else { throw error }
        // Without the folder a missing file means nothing.
        guard Folder.isFolder(path) else { throw error }
        return nil
      }
    }
  }

  package func delete(_ name: String) async throws(PictureStorageError) {
    try await run(at: name) { position throws(SystemError) in
      if unlink(position) != 0 {
        let error = SystemError.last
        guard error.number == ENOENT, Folder.isFolder(path) else { throw error }
      }
      // Deletion is not time-critical. Files beside the folders of pictures are not the storage's.
      if name.contains("/") { temporaryFiles.delete(in: Folder.containing(position)) }
    }
  }

  private static let moved = "the folder is another one than before; is it mounted?"

  private func run<Answer: Sendable>(
    at name: String, _ body: @escaping @Sendable (String) throws(SystemError) -> Answer
  ) async throws(PictureStorageError) -> Answer {
    let position = path + "/" + name
    return try await calls.run {
      do throws(SystemError) {
        guard try identity.isSame(at: path) else { return .failure(.unavailable(Self.moved)) }
        return .success(try body(position))
      } catch {
        return .failure(PictureStorageError(error))
      }
    }
  }
}

/// Identity of the folder that a path led to, by which a replacement is noticed.
private final class DirectoryIdentity: Sendable {
  private struct Identity: Equatable {
    let device: dev_t
    let node: ino_t
  }

  private let known = Mutex<Identity?>(nil)

  /// Whether the path leads to the same folder as before, or to one with an owner file.
  ///
  /// One system call, beside the several for each file.
  ///
  /// - Throws: the error of stat(2).
  func isSame(at path: String) throws(SystemError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last }
    let found = Identity(device: status.st_dev, node: status.st_ino)
    let before = known.withLock { known in
      if known == nil { known = found }
      return known
    }
    if before == found { return true }
    guard access(path + "/" + ExternalPictures.ownerName, F_OK) == 0 else { return false }
    known.withLock { $0 = found }
    return true
  }
}

/// Temporary files of `PrivateFile` that killed writers left behind.
private final class StaleTemporaryFiles: Sendable {
  /// Minimum age in seconds of a temporary file that is deleted.
  private static let minAgeSeconds = 3_600
  /// Minimum time between two searches of a folder.
  private static let pause = Duration.seconds(86_400)

  private let nextSearches = Mutex<[String: ContinuousClock.Instant]>([:])

  /// Deletes old temporary files in a folder; does nothing within a day of the last search.
  func delete(in folder: String) {
    let now = ContinuousClock.now
    let isDue = nextSearches.withLock { searches in
      if let next = searches[folder], now < next { return false }
      searches[folder] = now + Self.pause
      return true
    }
    guard isDue else { return }
    for name in Folder.names(in: folder) where Self.isTemporary(name) {
      let path = folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_mtim.tv_sec < time(nil) - Self.minAgeSeconds
      else { continue }
      unlink(path)
    }
  }

  /// Whether a name is a picture's, which has no dot, followed by a dot and a hexadecimal number.
  private static func isTemporary(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && UInt64(parts[1], radix: 16) != nil
  }
}

extension PictureStorageError {
  fileprivate init(_ error: SystemError) {
    self =
      if error.isDiskFull {
        .full
      } else if error.number == EFBIG {
        .tooLarge
      } else {
        .unavailable(error.description)
      }
  }
}

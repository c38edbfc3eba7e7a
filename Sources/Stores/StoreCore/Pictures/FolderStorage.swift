import Glibc
import MarketModel
import Posix
import Synchronization

/// Pictures in a folder, which may be on a file system that several servers share.
///
/// The folder itself is there before: one that is missing is a file system that was not mounted, and
/// nothing is written in its place; neither in another folder that has come to be there meanwhile, such
/// as the one that something was mounted over, unless it says that it is a market's. Files belong to
/// whoever runs the servers alone.
package struct FolderStorage: PictureStorage {
  /// Files that are written, read or deleted at a time.
  private static let laneCount = 32

  private let path: String
  private let calls: TimeLimitedCalls
  private let drafts = StaleTemporaryFiles()
  private let ground = DirectoryIdentity()

  /// Each call may take as long as `patience`.
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
        // Without the folder nobody knows what is in it.
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
      // Where files are swept nobody waits; the folder itself is somebody else's.
      if name.contains("/") { drafts.delete(in: Folder.containing(position)) }
    }
  }

  private static let moved = "the folder is another one than before; is it mounted?"

  private func run<Answer: Sendable>(
    at name: String, _ body: @escaping @Sendable (String) throws(SystemError) -> Answer
  ) async throws(PictureStorageError) -> Answer {
    let position = path + "/" + name
    return try await calls.run {
      do throws(SystemError) {
        guard try ground.isSame(at: path) else { return .failure(.unavailable(Self.moved)) }
        return .success(try body(position))
      } catch {
        return .failure(PictureStorageError(error))
      }
    }
  }
}

/// Folder that a path has led to, so that another one in its place is noticed.
private final class DirectoryIdentity: Sendable {
  private struct Identity: Equatable {
    let device: dev_t
    let node: ino_t
  }

  private let known = Mutex<Identity?>(nil)

  /// Whether the path leads to the folder of before, or to one that says that it is a market's.
  ///
  /// One call of the system, beside the several of each file.
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

/// Files that writers left half written, as `PrivateFile` names them, when they were killed.
private final class StaleTemporaryFiles: Sendable {
  /// Seconds after which a draft is nobody's any more.
  private static let restSeconds = 3_600
  /// Time for which a folder is left alone after it was looked through.
  private static let pause = Duration.seconds(86_400)

  private let nextLooks = Mutex<[String: ContinuousClock.Instant]>([:])

  /// Deletes the old ones in a folder, now and then.
  func delete(in folder: String) {
    let now = ContinuousClock.now
    let isDue = nextLooks.withLock { looks in
      if let next = looks[folder], now < next { return false }
      looks[folder] = now + Self.pause
      return true
    }
    guard isDue else { return }
    for name in Folder.names(in: folder) where Self.isDraft(name) {
      let path = folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_mtim.tv_sec < time(nil) - Self.restSeconds
      else { continue }
      unlink(path)
    }
  }

  /// Whether a name is that of a picture's file, which has no point, with a number behind a point.
  private static func isDraft(_ name: String) -> Bool {
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

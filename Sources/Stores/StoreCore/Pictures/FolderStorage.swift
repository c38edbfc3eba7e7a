import Glibc
import MarketModel
import Posix
import Synchronization

/// Pictures in a folder, which may be on a file system that several servers share.
///
/// The folder itself is there before: one that is missing is a file system that was not mounted, and
/// nothing is written in its place. Files belong to whoever runs the servers alone.
package struct FolderStorage: PictureStorage {
  /// Files that are written, read or deleted at a time.
  private static let laneCount = 32

  private let path: String
  private let calls: PatientCalls
  private let drafts = AbandonedDrafts()

  /// Each call may take as long as `patience`.
  package init(at path: String, patience: Duration = .seconds(4)) {
    self.path = path
    calls = PatientCalls("market.pictures", lanes: Self.laneCount, patience: patience)
  }

  package func put(_ bytes: [UInt8], at name: String) async throws(PictureStorageError) {
    try await run(at: name) { place throws(SystemError) in
      let folder = Folder.containing(place)
      if mkdir(folder, 0o700) == 0 {
        Folder.sync(path)
      } else if errno != EEXIST {
        throw .last
      }
      try PrivateFile.write(bytes, to: place)
    }
  }

  package func bytes(
    at name: String, atMost limit: Int
  ) async throws(PictureStorageError) -> [UInt8]? {
    try await run(at: name) { place throws(SystemError) -> [UInt8]? in
      do throws(SystemError) {
        return try PrivateFile.read(place, limit: limit)
      } catch {
        guard error.number == ENOENT else { throw error }
        // Without the folder nobody knows what is in it.
        guard Folder.isFolder(path) else { throw error }
        return nil
      }
    }
  }

  package func delete(_ name: String) async throws(PictureStorageError) {
    try await run(at: name) { place throws(SystemError) in
      if unlink(place) != 0 {
        let error = SystemError.last
        guard error.number == ENOENT, Folder.isFolder(path) else { throw error }
      }
      // Where files are swept nobody waits; the folder itself is somebody else's.
      if name.contains("/") { drafts.delete(in: Folder.containing(place)) }
    }
  }

  private func run<Answer: Sendable>(
    at name: String, _ body: @escaping @Sendable (String) throws(SystemError) -> Answer
  ) async throws(PictureStorageError) -> Answer {
    let place = path + "/" + name
    return try await calls.run {
      do throws(SystemError) {
        return .success(try body(place))
      } catch {
        return .failure(PictureStorageError(error))
      }
    }
  }
}

/// Files that writers left half written, as `PrivateFile` names them, when they were killed.
private final class AbandonedDrafts: Sendable {
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

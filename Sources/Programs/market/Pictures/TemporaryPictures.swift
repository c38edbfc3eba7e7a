import Glibc
import Posix
import Synchronization

/// Pictures that other programs read, each in a private folder of its own.
///
/// A viewer may take its time to start, so that a picture stays for a while; what a run has left
/// behind goes when a later one lends a picture.
nonisolated final class TemporaryPictures: Sendable {
  private let environment: @Sendable (String) -> String?
  private let lent = Mutex<[(folder: String, since: ContinuousClock.Instant)]>([])

  private static let prefix = "market-picture-"
  /// How long a program gets to read what it was given.
  private static let timeout = Duration.seconds(30)
  /// Seconds after which nobody is still about to read.
  private static let oldAge = 3_600

  init(_ environment: @escaping @Sendable (String) -> String?) {
    self.environment = environment
  }

  /// Puts a picture where only this user may read it, and says where.
  func lend(_ bytes: [UInt8], _ name: PictureFileName) -> Result<String, SystemError> {
    removeOld(before: time(nil) - Self.oldAge)
    return ExternalProgram.makePrivateFolder(environment, prefix: Self.prefix).flatMap { folder in
      lent.withLock { $0.append((folder, .now)) }
      return LocalPictureFile.save(bytes, as: name, in: folder, mode: 0o600).map {
        folder + "/" + $0
      }
    }
  }

  /// Removes what has been lent, except a moment ago.
  func takeBack(asOf now: ContinuousClock.Instant = .now) {
    let old = lent.withLock { lent in
      let old = lent.filter { $0.since.duration(to: now) >= Self.timeout }
      lent.removeAll { $0.since.duration(to: now) >= Self.timeout }
      return old
    }
    for (folder, _) in old { Self.remove(folder) }
  }

  /// Removes folders of this user that any run left before an instant, in seconds since 1970.
  func removeOld(before instant: Int) {
    let parent = ExternalProgram.folderForPrivateFolders(environment)
    for entry in Folder.entries(of: parent) where entry.name.hasPrefix(Self.prefix) {
      let folder = parent + "/" + entry.name
      var status = stat()
      guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        status.st_uid == getuid(), status.st_mtim.tv_sec < instant
      else { continue }
      Self.remove(folder)
    }
  }

  /// Removes a folder of files; in one of another shape, what is no file stays.
  private static func remove(_ folder: String) {
    for entry in Folder.entries(of: folder) { unlink(folder + "/" + entry.name) }
    rmdir(folder)
  }
}

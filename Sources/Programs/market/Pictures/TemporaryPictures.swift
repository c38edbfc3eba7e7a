import Glibc
import Posix
import Synchronization

/// Temporary pictures for other programs, each in a private folder.
///
/// At exit `takeBack` removes pictures lent more than 30 s ago; `lend` removes those of any run that
/// are older than an hour.
nonisolated final class TemporaryPictures: Sendable {
  private let environment: @Sendable (String) -> String?
  private let lent = Mutex<[(folder: String, since: ContinuousClock.Instant)]>([])

  private static let prefix = "market-picture-"
  /// Time that a program gets to open the file.
  private static let timeout = Duration.seconds(30)
  /// Seconds after which no program is still about to open the file.
  private static let oldAge = 3_600

  init(_ environment: @escaping @Sendable (String) -> String?) {
    self.environment = environment
  }

  /// Saves a picture that only this user can read; returns its path.
  func lend(_ bytes: [UInt8], _ name: PictureFileName) -> Result<String, SystemError> {
    removeOld(before: time(nil) - Self.oldAge)
    return ExternalProgram.makePrivateFolder(environment, prefix: Self.prefix).flatMap { folder in
      lent.withLock { $0.append((folder, .now)) }
      return LocalPictureFile.save(bytes, as: name, in: folder, mode: 0o600).map {
        folder + "/" + $0
      }
    }
  }

  /// Removes pictures that were lent at least 30 s before `now`.
  func takeBack(asOf now: ContinuousClock.Instant = .now) {
    let old = lent.withLock { lent in
      let old = lent.filter { $0.since.duration(to: now) >= Self.timeout }
      lent.removeAll { $0.since.duration(to: now) >= Self.timeout }
      return old
    }
    for (folder, _) in old { Self.remove(folder) }
  }

  /// Removes folders of this user's runs that are older than `instant`, in seconds since 1970.
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

  /// Removes a folder and the files in it; subfolders stay.
  private static func remove(_ folder: String) {
    for entry in Folder.entries(of: folder) { unlink(folder + "/" + entry.name) }
    rmdir(folder)
  }
}

import Glibc
import PersonalStore
import Posix

/// Folder with all data of one guest.
nonisolated struct GuestFolder: Hashable {
  /// Mode bit of a folder that was found not to be empty since the guest's last visit.
  ///
  /// It saves searching the folder again, takes no space and does not change the modification time.
  private static let hasContentMark = mode_t(S_ISVTX)
  private static let mode: mode_t = 0o700

  let folder: String

  /// Time of the last visit in nanoseconds since 1970; nil if there is no folder.
  var lastVisit: Int64? {
    status.map { Int64($0.st_mtim.tv_sec) * 1_000_000_000 + Int64($0.st_mtim.tv_nsec) }
  }

  private var status: stat? {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return status
  }

  /// Locks the folder for a guest and records the visit.
  ///
  /// - Returns: descriptor with a shared lock (flock(2)) that keeps the folder from being removed; nil
  ///   if there is no folder or it is being removed.
  func acquire() -> Int32? {
    guard GuestDirectory.isOwn(folder) else { return nil }
    return locked(LOCK_SH) { file in
      fchmod(file, Self.mode) == 0 && futimens(file, nil) == 0
    }
  }

  /// Removes the folder with its content, unless a guest uses it or `condition` returns false.
  ///
  /// - Parameters:
  ///   - trash: path to which the folder is moved first, so that it is never left half deleted;
  ///     existing content there is removed.
  ///   - condition: called while the folder is locked.
  /// - Returns: whether the folder was removed.
  func remove(by trash: String, if condition: () -> Bool) -> Bool {
    let file = locked(LOCK_EX) { _ in
      guard condition() else { return false }
      Self.removeAll(in: trash)
      // Fails if the trash could not be emptied.
      return rename(folder, trash) == 0
    }
    guard let file else { return false }
    close(file)
    Self.removeAll(in: trash)
    return true
  }

  /// Opens and locks the folder without waiting; nil if that fails or `body` returns false.
  private func locked(_ lock: Int32, _ body: (Int32) -> Bool) -> Int32? {
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return nil }
    // The opened folder may have been removed before it was locked.
    guard flock(file, lock | LOCK_NB) == 0, isStillHere(file), body(file) else {
      close(file)
      return nil
    }
    return file
  }

  private func isStillHere(_ file: Int32) -> Bool {
    var opened = stat()
    guard fstat(file, &opened) == 0, let status else { return false }
    return opened.st_ino == status.st_ino && opened.st_dev == status.st_dev
  }

  // MARK: What is in it

  var photoInbox: GuestPhotoInbox { GuestPhotoInbox(folder: folder + "/tray") }

  /// Whether the folder holds nothing that the guest chose to save; false if that is unknown.
  var isEmpty: Bool {
    if let status, status.st_mode & Self.hasContentMark != 0 { return false }
    let files = AppPaths { _ in folder }
    let answers = [
      !photoInbox.names().isEmpty, DraftFolder.hasDrafts(below: files.drafts),
      AccountFile.hasSeller(in: files.config), PersonalFile.hasChosen(in: files.personal),
    ]
    // Unreadable data sets no mark, since a later attempt may succeed.
    if answers.contains(true) { chmod(folder, Self.mode | Self.hasContentMark) }
    return answers.allSatisfy { $0 == false }
  }

  var byteCount: Int { Self.bytes(below: folder) }

  private static func bytes(below folder: String) -> Int {
    Folder.names(in: folder).reduce(0) { sum, name in
      let path = folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { return sum }
      return sum + (status.st_mode & S_IFMT == S_IFDIR ? bytes(below: path) : Int(status.st_size))
    }
  }

  /// Removes a folder with its content; links are removed, not their targets.
  private static func removeAll(in folder: String) {
    for name in Folder.names(in: folder) {
      let path = folder + "/" + name
      if unlink(path) != 0, errno == EISDIR { removeAll(in: path) }
    }
    rmdir(folder)
  }
}

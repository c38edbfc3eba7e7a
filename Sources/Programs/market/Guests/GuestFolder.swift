import Glibc
import PersonalStore
import Posix

/// Place of one guest in the house: the folder of all that is kept for the guest.
nonisolated struct GuestFolder: Hashable {
  /// Mode bit of a folder in which something kept was found since the guest's last visit.
  ///
  /// Newcomers do not look through it again. It takes no space, and leaves the time of the visit as it is.
  private static let hasContentMark = mode_t(S_ISVTX)
  private static let mode: mode_t = 0o700

  let folder: String

  /// Nanoseconds since 1970 at which the guest came last; nil where there is no folder.
  var lastVisit: Int64? {
    status.map { Int64($0.st_mtim.tv_sec) * 1_000_000_000 + Int64($0.st_mtim.tv_nsec) }
  }

  private var status: stat? {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return status
  }

  /// Takes the place for a guest who comes, and notes the visit.
  ///
  /// - Returns: the descriptor that holds a shared lock (flock(2)) as long as it is open, by which no
  ///   newcomer gets the place; nil where there is no place, or a newcomer is just getting it.
  func take() -> Int32? {
    guard GuestDirectory.isOwn(folder) else { return nil }
    return locked(LOCK_SH) { file in
      fchmod(file, Self.mode) == 0 && futimens(file, nil) == 0
    }
  }

  /// Removes the place with all that is kept in it, unless a guest is there or `condition` is false.
  ///
  /// - Parameters:
  ///   - trash: path to which the folder is moved first, so that a guest has all or nothing whenever the
  ///     process ends; what stands there is removed.
  ///   - condition: is asked while no guest can come.
  /// - Returns: whether the place is free.
  func remove(by trash: String, if condition: () -> Bool) -> Bool {
    let file = locked(LOCK_EX) { _ in
      guard condition() else { return false }
      Self.removeAll(in: trash)
      // Fails where something is left in the trash.
      return rename(folder, trash) == 0
    }
    guard let file else { return false }
    close(file)
    Self.removeAll(in: trash)
    return true
  }

  /// Opens and locks the folder without waiting; nil where that fails or `body` is false.
  private func locked(_ lock: Int32, _ body: (Int32) -> Bool) -> Int32? {
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return nil }
    // The folder that was opened may have been removed before it was locked.
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

  /// The tray of photos.
  var photoInbox: GuestPhotoInbox { GuestPhotoInbox(folder: folder + "/tray") }

  /// Whether nothing is kept here beyond what a visit leaves by itself; false where that cannot be told.
  var isEmpty: Bool {
    if let status, status.st_mode & Self.hasContentMark != 0 { return false }
    let files = AppPaths { _ in folder }
    let answers = [
      !photoInbox.names().isEmpty, DraftFolder.hasDrafts(below: files.drafts),
      AccountFile.hasSeller(in: files.config), PersonalFile.hasChosen(in: files.personal),
    ]
    // What could not be read is no mark: the next newcomer may read it.
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

  /// Removes a folder with all that is in it; links go themselves, and not what they lead to.
  private static func removeAll(in folder: String) {
    for name in Folder.names(in: folder) {
      let path = folder + "/" + name
      if unlink(path) != 0, errno == EISDIR { removeAll(in: path) }
    }
    rmdir(folder)
  }
}

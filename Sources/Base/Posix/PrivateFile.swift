import Glibc

/// Files that only their owner may read, written so that a crash leaves the old or the new content.
package enum PrivateFile {
  /// Writes a whole file beside its place, brings it to disk, and moves it there, where it replaces
  /// whatever stands there; the folder has to exist.
  ///
  /// Its mode is for its owner alone unless another is named. What killed writers left beside it goes,
  /// unless `isSweeping` says that the folder is looked through elsewhere.
  /// Where it throws, the old content stays; or it may come back with the next start of the computer,
  /// where only the folder could not be brought to disk.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t = 0o600, sweeping isSweeping: Bool = true
  ) throws(SystemError) {
    if isSweeping { deleteDrafts(of: path) }
    try write(bytes, mode: mode, beside: path) { draft throws(SystemError) in
      guard rename(draft, path) == 0 else { throw .last }
    }
  }

  /// Writes a whole file like `write`, unless something stands in its place, which stays; true where it
  /// was written.
  package static func create(_ bytes: [UInt8], at path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try write(bytes, mode: 0o600, beside: path) { draft throws(SystemError) in
        guard link(draft, path) == 0 else { throw .last }
        unlink(draft)
      }
      return true
    } catch {
      switch error.number {
      case EEXIST: return false
      // A file system without links: of two at once the later one stays.
      case EPERM, ENOTSUP, ENOSYS, EMLINK:
        if access(path, F_OK) == 0 { return false }
        try write(bytes, to: path, sweeping: false)
        return true
      default: throw error
      }
    }
  }

  private static func write(
    _ bytes: [UInt8], mode: mode_t, beside path: String,
    _ move: (String) throws(SystemError) -> Void
  ) throws(SystemError) {
    // A name of its own: no other run writes into it, and no link, pipe or device can stand there.
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    let draft = path + "." + String(repeating: "0", count: numberLength - number.count) + number
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .last }
    do throws(SystemError) {
      defer { close(file) }
      try FileDescriptorIO.writeAll(bytes, to: file)
      if mode != 0o600, fchmod(file, mode) != 0 { throw .last }
      try FileDescriptorIO.sync(file)
      try move(draft)
    } catch {
      unlink(draft)
      throw error
    }
    try Folder.sync(Folder.containing(path))
  }

  /// Digits of the number behind a draft's name.
  private static let numberLength = 16
  /// Seconds after which a draft is nobody's any more: writing one takes far less.
  private static let draftSeconds = 60

  /// Deletes what writers of a file left half written when they were killed.
  package static func deleteDrafts(of path: String) {
    let folder = Folder.containing(path)
    let start = path.split(separator: "/").last.map { $0 + "." } ?? ""
    for name in Folder.names(in: folder) where name.hasPrefix(start) {
      let number = name.dropFirst(start.count)
      guard number.utf8.count == numberLength,
        number.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
      else { continue }
      let draft = folder + "/" + name
      var status = stat()
      guard lstat(draft, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_mtim.tv_sec < time(nil) - draftSeconds
      else { continue }
      unlink(draft)
    }
  }

  /// Reads a whole file of at most `limit` bytes.
  ///
  /// Throws `EFBIG` where it is longer, `EINVAL` where it is no regular file.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    // Whatever its mode is, it is not refused.
    try read(path, limit: limit) { _ in true } ?? []
  }

  /// Reads a file if its mode is accepted, which is that of the file that is read, whatever its path
  /// leads to meanwhile; nil where it is not.
  package static func read(
    _ path: String, limit: Int, ifMode accepts: (mode_t) -> Bool
  ) throws(SystemError) -> [UInt8]? {
    // Without O_NONBLOCK a named pipe would be waited for.
    let file = FileName.withPath(path) { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard file >= 0 else { throw .last }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last }
    guard accepts(status.st_mode) else { return nil }
    guard let size = FileDescriptorIO.fileSize(of: file) else { throw SystemError(number: EINVAL) }
    guard size <= limit else { throw SystemError(number: EFBIG) }
    return try FileDescriptorIO.readAll(from: file, limit: limit)
  }
}

import Glibc

/// Files that only their owner may read, written atomically: a crash leaves the old or the new
/// content.
package enum PrivateFile {
  /// Writes a temporary file beside `path`, flushes it to disk and renames it, replacing an existing
  /// file; the folder must exist.
  ///
  /// Leftover temporary files of killed writers are deleted, unless `isSweeping` is false because the
  /// caller does that. After an error the old content stays; if only the flush of the folder failed,
  /// it may come back at the next start of the computer.
  ///
  /// - Throws: the error of the system call that failed, such as `ENOENT`, `EACCES` or `ENOSPC`.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t = 0o600, sweeping isSweeping: Bool = true
  ) throws(SystemError) {
    if isSweeping { deleteDrafts(of: path) }
    try write(bytes, mode: mode, beside: path) { draft throws(SystemError) in
      guard rename(draft, path) == 0 else { throw .last }
    }
  }

  /// Writes a file like `write` unless one exists, which stays; true where it was written.
  ///
  /// - Throws: what `write(_:to:mode:sweeping:)` throws.
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
      // File system without hard links: of two concurrent writers the later one wins.
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
    // A unique name: no other run writes to it, and no link, pipe or device can have it.
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

  /// Digits of the random suffix of a temporary file.
  private static let numberLength = 16
  /// Age in seconds from which a temporary file is a leftover: writing one takes far less.
  private static let draftSeconds = 60

  /// Deletes leftover temporary files of killed writers.
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

  /// Reads a whole file.
  ///
  /// - Throws: the error of open(2) or read(2), such as `ENOENT`; `EFBIG` where it is longer than
  ///   `limit` bytes; `EINVAL` where it is no regular file.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    // Accepts any mode, so the result is never nil.
    try read(path, limit: limit) { _ in true } ?? []
  }

  /// Reads a file if `accepts` returns true for the mode of the opened file, which may differ from
  /// that of `path`; nil otherwise.
  ///
  /// - Throws: what `read(_:limit:)` throws.
  package static func read(
    _ path: String, limit: Int, ifMode accepts: (mode_t) -> Bool
  ) throws(SystemError) -> [UInt8]? {
    // Without O_NONBLOCK, open(2) of a named pipe would wait for a writer.
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

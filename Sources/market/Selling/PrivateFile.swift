import Glibc
import MarketMoving

/// Files that only their owner may read, written so that a crash leaves the old or the new content.
nonisolated enum PrivateFile {
  /// Writes a file beside its place, brings it to disk, and moves it there.
  ///
  /// - Parameters:
  ///   - bytes: the whole content.
  ///   - path: a file whose folder exists.
  /// - Returns: whether it is on disk.
  static func write(_ bytes: [UInt8], to path: String) -> Bool {
    // A name of its own: no other run writes into it, and no link, pipe or device can stand there.
    let draft = path + "." + RandomToken.uuid()
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    let isWritten = Descriptor.writeAll(bytes, to: file) == nil && fsync(file) == 0
    close(file)
    guard isWritten, rename(draft, path) == 0 else {
      unlink(draft)
      return false
    }
    syncFolder(of: path)
    return true
  }

  /// - Parameters:
  ///   - path: the file.
  ///   - limit: most bytes that it may have.
  /// - Returns: the whole content; nil where there is none, it is longer, or no plain file.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= limit
    else { return nil }
    return readAll(file, limit: limit)
  }

  /// Reads an open file to its end; nil where that fails or there is more.
  static func readAll(_ file: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0, bytes.count + count <= limit else { return nil }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// A renamed file is safe when its folder is on disk too.
  private static func syncFolder(of path: String) {
    guard let slash = path.lastIndex(of: "/") else { return }
    let folder = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}

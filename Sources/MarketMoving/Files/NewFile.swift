import Glibc

/// A file that stands under its name once it is complete, and never before; readable for its owner
/// alone.
package final class NewFile {
  private let path: String
  private let replaces: Bool
  private let descriptor: Int32
  /// Where it is until then, beside its place; nil for standard output.
  package let temporaryPath: String?

  /// - Parameters:
  ///   - path: where it is to stand; `-` is standard output.
  ///   - replaces: whether a file that is there gives way.
  /// - Throws: `.exists` at once where that may not be, or `.file`.
  package init(path: String, replaces: Bool) throws(MovingError) {
    self.path = path
    self.replaces = replaces
    guard path != "-" else {
      (descriptor, temporaryPath) = (STDOUT_FILENO, nil)
      return
    }
    var status = stat()
    if !replaces, lstat(path, &status) == 0 { throw .exists(path: path) }
    // The ending tells two runs apart; O_EXCL follows no link that somebody has put there.
    let temporary = path + ".\(getpid()).part"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    // People know the file that they named.
    guard descriptor >= 0 else { throw .system(path) }
    temporaryPath = temporary
  }

  deinit {
    guard let temporaryPath else { return }
    close(descriptor)
    unlink(temporaryPath)
  }

  func write(_ bytes: [UInt8]) throws(MovingError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw .system(path) }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Gives the complete file its name.
  package func publish() throws(MovingError) {
    guard let temporaryPath else { return }
    guard fsync(descriptor) == 0 else { throw .system(path) }
    if replaces {
      guard rename(temporaryPath, path) == 0 else { throw .system(path) }
    } else {
      // A link never overwrites, whoever was faster.
      guard link(temporaryPath, path) == 0 else {
        throw errno == EEXIST ? .exists(path: path) : .system(path)
      }
    }
    syncFolder()
  }

  /// Makes the new name last; a folder that cannot be opened has no say in that.
  private func syncFolder() {
    let end = path.lastIndex(of: "/")
    let folder = end.map { String(path[...$0]) } ?? "."
    let folderDescriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folderDescriptor >= 0 else { return }
    fsync(folderDescriptor)
    close(folderDescriptor)
  }
}

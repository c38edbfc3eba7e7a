import Glibc
import Posix

/// A file that stands under its name once it is complete, and never before; readable for its owner
/// alone.
package final class NewFile {
  private let path: String
  private let replaces: Bool
  private let descriptor: Int32
  /// Path until then, beside its place; nil for standard output.
  package let temporaryPath: String?

  /// - Parameters:
  ///   - path: where it is to stand; `-` is standard output.
  ///   - replaces: whether a file that is there gives way.
  ///   - market: the files that hold what is to be written, none of which ever gives way.
  /// - Throws: `.exists` at once where that may not be, `.isMarket`, `.notAFile`, or `.file`.
  package init(
    path: String, replaces: Bool, copying market: [String] = []
  ) throws(TransferError) {
    self.path = path
    self.replaces = replaces
    guard path != "-" else {
      (descriptor, temporaryPath) = (STDOUT_FILENO, nil)
      return
    }
    let position = FileTarget(path)
    for file in market where position.isSame(as: FileTarget(file)) { throw .isMarket(path: path) }
    // Neither is a link followed that leads to one.
    guard position.isRegularOrFree else { throw .notAFile(path: path) }
    var status = stat()
    if !replaces, lstat(path, &status) == 0 { throw .exists(path: path) }
    Self.deleteLeftovers(of: path)
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
    Self.delete(temporaryPath)
  }

  /// Deletes what runs to the same place left that were killed.
  private static func deleteLeftovers(of path: String) {
    let folder = Folder.containing(path)
    let start = path.split(separator: "/").last.map { $0 + "." } ?? ""
    let names = Set(
      Folder.names(in: folder).filter { $0.hasPrefix(start) }.compactMap { name -> String? in
        let rest = name.dropFirst(start.count).split(separator: ".", maxSplits: 1)
        guard rest.count == 2, rest[1].hasPrefix("part"), let process = pid_t(rest[0]), process > 0,
          kill(process, 0) != 0, errno == ESRCH
        else { return nil }
        return start + rest[0] + ".part"
      })
    for name in names { delete(folder + "/" + name) }
  }

  /// Deletes an incomplete file, and what a database puts beside one.
  private static func delete(_ temporary: String) {
    for working in ["", ".working"] {
      for ending in ["", "-journal", "-wal", "-shm"] { unlink(temporary + working + ending) }
    }
  }

  package func write(_ bytes: [UInt8]) throws(TransferError) {
    do throws(SystemError) {
      try FileDescriptorIO.writeAll(bytes, to: descriptor)
    } catch {
      throw .system(path, error)
    }
  }

  /// Gives the complete file its name.
  package func publish() throws(TransferError) {
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
    do throws(SystemError) {
      try Folder.sync(Folder.containing(path))
    } catch {
      throw .system(path, error)
    }
  }
}

/// Place that a path leads to: the file there now, or a name in a folder.
private struct FileTarget {
  /// Identity of a file for the system, whatever its name.
  private struct Identity: Hashable {
    let device: dev_t
    let number: ino_t

    init(_ status: stat) {
      (device, number) = (status.st_dev, status.st_ino)
    }
  }

  private let file: Identity?
  private let folder: Identity?
  private let name: Substring
  /// False for devices, pipes, sockets and folders, and for links to those.
  let isRegularOrFree: Bool

  init(_ path: String) {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    name = path[end...]
    folder = Self.status(of: end == path.startIndex ? "." : String(path[..<end])).map(Identity.init)
    let status = Self.status(of: path)
    file = status.map(Identity.init)
    isRegularOrFree = !name.isEmpty && status.map { $0.st_mode & S_IFMT == S_IFREG } ?? true
  }

  func isSame(as other: FileTarget) -> Bool {
    if let file, file == other.file { return true }
    return folder != nil && folder == other.folder && name == other.name
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}

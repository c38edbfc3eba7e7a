import Glibc
import Posix

/// File that appears under its name only once it is complete, with mode 0600.
package final class NewFile {
  private let path: String
  private let replaces: Bool
  private let descriptor: Int32
  /// Path of the incomplete file, beside the final one; nil for standard output.
  package let temporaryPath: String?

  /// - Parameters:
  ///   - path: the final path; `-` is standard output.
  ///   - replaces: whether an existing file is overwritten.
  ///   - market: the files of the market, none of which is ever overwritten.
  /// - Throws: `.exists` where the file exists and must not be overwritten; `.isMarket` for a file of the
  ///   market; `.notAFile` for a device, pipe or folder; `.file` or `.diskFull` where it cannot be
  ///   created.
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
    // Nor is a symbolic link to one followed.
    guard position.isRegularOrFree else { throw .notAFile(path: path) }
    var status = stat()
    if !replaces, lstat(path, &status) == 0 { throw .exists(path: path) }
    Self.deleteLeftovers(of: path)
    // The process id separates two runs; O_EXCL does not follow a planted symbolic link.
    let temporary = path + ".\(getpid()).part"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    // The error names the user's file, not the temporary one.
    guard descriptor >= 0 else { throw .system(path) }
    temporaryPath = temporary
  }

  deinit {
    guard let temporaryPath else { return }
    close(descriptor)
    Self.delete(temporaryPath)
  }

  /// Deletes the incomplete files of killed runs with the same path.
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

  /// Deletes an incomplete file, and a database's files beside it.
  private static func delete(_ temporary: String) {
    for working in ["", ".working"] {
      for ending in ["", "-journal", "-wal", "-shm"] { unlink(temporary + working + ending) }
    }
  }

  /// - Throws: `.diskFull`; `.file` for other failures of writing.
  package func write(_ bytes: [UInt8]) throws(TransferError) {
    do throws(SystemError) {
      try FileDescriptorIO.writeAll(bytes, to: descriptor)
    } catch {
      throw .system(path, error)
    }
  }

  /// Moves the complete file to its name.
  /// - Throws: `.exists` where a file has appeared there; `.file` or `.diskFull`.
  package func publish() throws(TransferError) {
    guard let temporaryPath else { return }
    guard fsync(descriptor) == 0 else { throw .system(path) }
    if replaces {
      guard rename(temporaryPath, path) == 0 else { throw .system(path) }
    } else {
      // link(2) never overwrites, so that a concurrent file wins.
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

/// Target of a path: the existing file, or a name in a folder.
private struct FileTarget {
  /// Identity of a file, independent of its name.
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
  /// False for devices, pipes, sockets and folders, and for symbolic links to those.
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

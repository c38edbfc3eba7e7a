import Glibc
import MarketModel
import Posix

/// Folder of picture files beside a file of products: `market.ndjson.pictures`.
///
/// Names come from the file, so only plain names are accepted: nothing outside the folder is read or
/// written, and no symbolic link is followed.
final class PictureFolder {
  private let path: String
  private let descriptor: Int32
  private let isNew: Bool
  /// Names of the files written by this object.
  private var written: [String] = []

  /// Opens the folder beside a file of products, and creates it where `creates` is true.
  /// - Throws: `.file` or `.diskFull` where it cannot be opened or created.
  init(beside file: String, creates: Bool) throws(TransferError) {
    path = file + ".pictures"
    isNew = creates && mkdir(path, 0o700) == 0
    if creates, !isNew, errno != EEXIST { throw .system(path) }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path) }
  }

  deinit { close(descriptor) }

  /// Whether a name may be a picture's: 1 to 200 letters, digits, `-`, `_` and dots, the first a letter,
  /// digit or `_`.
  static func isName(_ name: String) -> Bool {
    guard (1...200).contains(name.utf8.count) else { return false }
    guard name.first != ".", name.first != "-" else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      default: false
      }
    }
  }

  /// The bytes of a picture file; nil where there is none, or it is not a regular file of at most
  /// `StorageRules.storedPictureBytes`.
  func read(_ name: String) -> [UInt8]? {
    guard Self.isName(name) else { return nil }
    // Without O_NONBLOCK, opening a named pipe would block.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let size = FileDescriptorIO.fileSize(of: file), size <= StorageRules.storedPictureBytes
    else {
      return nil
    }
    let bytes = try? FileDescriptorIO.readAll(from: file, limit: size)
    return bytes?.count == size ? bytes : nil
  }

  /// Writes a picture under a name derived from its content, unless it exists.
  /// - Throws: `.file` or `.diskFull`.
  func write(_ bytes: [UInt8], as name: String) throws(TransferError) {
    guard read(name) != bytes else { return }
    unlinkat(descriptor, name, 0)
    written.append(name)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = openat(descriptor, name, flags, 0o600)
    guard file >= 0 else { throw .system(path + "/" + name) }
    defer { close(file) }
    do throws(SystemError) {
      try FileDescriptorIO.writeAll(bytes, to: file)
    } catch {
      unlinkat(descriptor, name, 0)
      throw .system(path + "/" + name, error)
    }
  }

  /// Deletes the written files, and the folder where it was created here.
  func undo() {
    for name in written { unlinkat(descriptor, name, 0) }
    if isNew { rmdir(path) }
  }
}

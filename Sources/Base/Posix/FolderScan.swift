import Glibc

/// Look into a folder that may be large, slow or not for us: bounded, with size and time of its files.
///
/// Names that begin with a dot are left out, and so is what is neither a folder nor a regular file.
/// Links count as what they lead to; one that leads nowhere is left out.
package struct FolderScan: Sendable {
  package struct Entry: Sendable {
    /// As `FileName` reads it.
    package let name: String
    package let isFolder: Bool
    package let bytes: Int
    /// Time of the last change, in seconds since 1970.
    package let modified: Int64
  }

  /// In no order.
  package private(set) var entries: [Entry] = []
  /// How many names were looked at.
  package private(set) var count = 0
  /// False where the folder has more.
  package private(set) var isComplete = true

  /// Looks at no more than `limit` names.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - limit: how many names are looked at.
  ///   - isWanted: whether a file of this name is wanted; folders always are.
  /// - Throws: why the folder cannot be read, such as `ENOENT` or `EACCES`.
  package init(
    of path: String, limit: Int, filesWhere isWanted: (String) -> Bool
  ) throws(SystemError) {
    guard let folder = FileName.withPath(path, { opendir($0) }) else { throw .last }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        FileName.text(bytes.prefix { $0 != 0 })
      }
      guard !name.hasPrefix(".") else { continue }
      guard count < limit else {
        isComplete = false
        return
      }
      count += 1
      // A file whose name nobody wants costs no look at its inode.
      guard Int(entry.pointee.d_type) != Int(DT_REG) || isWanted(name) else { continue }
      guard let entry = Self.entry(name, in: folder), entry.isFolder || isWanted(name) else {
        continue
      }
      entries.append(entry)
    }
  }

  private static func entry(_ name: String, in folder: OpaquePointer) -> Entry? {
    var status = stat()
    let code = FileName.withPath(name) { fstatat(dirfd(folder), $0, &status, 0) }
    guard code == 0 else { return nil }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFDIR || kind == S_IFREG else { return nil }
    return Entry(
      name: name, isFolder: kind == S_IFDIR, bytes: Int(status.st_size),
      modified: Int64(status.st_mtim.tv_sec))
  }
}

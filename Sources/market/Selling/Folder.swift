import Glibc

/// What stands in a folder.
nonisolated enum Folder {
  struct Entry {
    let name: String
    let isFolder: Bool
  }

  /// The entries but `.` and `..`, in no order; none where the folder cannot be read.
  static func entries(of path: String) -> [Entry] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var entries: [Entry] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      entries.append(Entry(name: name, isFolder: isFolder(path + "/" + name)))
    }
    return entries
  }

  static func isFolder(_ path: String) -> Bool { mode(of: path) == S_IFDIR }

  static func isFile(_ path: String) -> Bool { mode(of: path) == S_IFREG }

  /// The kind of what a path leads to; nil where there is nothing.
  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}

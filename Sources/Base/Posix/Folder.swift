import Glibc

/// Folders by path, and their entries.
package enum Folder {
  package struct Entry: Sendable {
    package let name: String
    package let isFolder: Bool
  }

  /// Creates a folder and its missing parents with mode 0700 (`mkdir -p`).
  ///
  /// - Throws: the error of mkdir(2), such as `EACCES` or `ENOTDIR`.
  package static func make(_ path: String) throws(SystemError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw .last }
      made += "/"
    }
  }

  /// Returns a path without links, `.` and `..` (realpath(3)); for a missing file its folder is
  /// resolved, or else the path returned unchanged.
  package static func realPath(of path: String) -> String {
    if let real = resolved(path) { return real }
    guard let folder = resolved(containing(path)) else { return path }
    let name =
      path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
    return (folder == "/" ? "" : folder) + "/" + name
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns the folder of a file: `.` for a bare name, `/` for a file in the root.
  package static func containing(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Flushes a folder to disk, with the names of its files.
  ///
  /// Does nothing for a folder that cannot be opened, or on a file system without fsync of folders:
  /// the file itself is safe.
  ///
  /// - Throws: the error of fsync(2), such as `EIO`.
  package static func sync(_ path: String) throws(SystemError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    guard fsync(folder) != 0, ![EINVAL, ENOTSUP, ENOSYS, EROFS, EBADF].contains(errno) else {
      return
    }
    throw .last
  }

  /// Returns the entries except `.` and `..`, unordered; empty where the folder cannot be read.
  package static func entries(of path: String) -> [Entry] {
    names(in: path).map { Entry(name: $0, isFolder: isFolder(path + "/" + $0)) }
  }

  /// Returns the names of the entries without reading their types; empty where the folder cannot be
  /// read.
  package static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      names.append(name)
    }
    return names
  }

  package static func isFolder(_ path: String) -> Bool { mode(of: path) == S_IFDIR }

  /// Whether a path leads to a regular file, also by a link.
  package static func isFile(_ path: String) -> Bool { mode(of: path) == S_IFREG }

  /// Returns the file type of a path; nil where there is none.
  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    let code = FileName.withPath(path) { stat($0, &status) }
    return code == 0 ? status.st_mode & S_IFMT : nil
  }
}

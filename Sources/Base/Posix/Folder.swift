import Glibc

/// Folders by their paths, and what stands in them.
package enum Folder {
  package struct Entry: Sendable {
    package let name: String
    package let isFolder: Bool
  }

  /// Makes a folder and those above it where they are missing, for their owner alone (`mkdir -p`).
  package static func make(_ path: String) throws(SystemError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw .last }
      made += "/"
    }
  }

  /// A path without links, `.` and `..` (realpath(3)); that of a file that is not there yet leads
  /// through its folder.
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

  /// The folder in which a file stands or is to stand: `.` for a bare name, `/` for one at the root.
  package static func containing(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Brings a folder to disk, and with it the names of its files.
  ///
  /// A folder that cannot be opened has no say in whether a file is safe, and neither has a file system
  /// that brings no folders to disk by themselves; what fails otherwise is thrown.
  package static func sync(_ path: String) throws(SystemError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    guard fsync(folder) != 0, ![EINVAL, ENOTSUP, ENOSYS, EROFS, EBADF].contains(errno) else {
      return
    }
    throw .last
  }

  /// The entries but `.` and `..`, in no order; none where the folder cannot be read.
  package static func entries(of path: String) -> [Entry] {
    names(in: path).map { Entry(name: $0, isFolder: isFolder(path + "/" + $0)) }
  }

  /// The names of the entries, which are not looked at.
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

  /// Whether a path leads to a regular file.
  package static func isFile(_ path: String) -> Bool { mode(of: path) == S_IFREG }

  /// The kind of what a path leads to; nil where there is nothing.
  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    let code = FileName.withPath(path) { stat($0, &status) }
    return code == 0 ? status.st_mode & S_IFMT : nil
  }
}

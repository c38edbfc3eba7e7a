import Glibc

/// A new folder in `$TMPDIR`, else in `/tmp`, that goes with its value, and everything in it.
package struct TemporaryFolder: ~Copyable {
  package let path: String

  package init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/market-test-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw UnexpectedError(description: "no folder to test in")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  package func path(of name: String) -> String { path + "/" + name }

  deinit { Self.delete(path) }

  /// Deletes a file or a folder with all that is in it; a link goes, what it leads to stays.
  private static func delete(_ path: String) {
    guard unlink(path) != 0, let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { delete(path + "/" + name) }
    }
    closedir(folder)
    rmdir(path)
  }
}

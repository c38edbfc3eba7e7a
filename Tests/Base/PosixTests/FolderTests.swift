import Expectations
import Glibc
import Posix
import TestSupport
import Testing

struct FolderTests {
  @Test func `a folder is made with those above it, for its owner alone`() throws {
    let folder = try TemporaryFolder()

    try Folder.make(folder.path(of: "a/b/c"))
    try Folder.make(folder.path(of: "a/b/c/"))

    #expect(Folder.isFolder(folder.path(of: "a/b/c")))
    var status = stat()
    #expect(stat(folder.path(of: "a/b"), &status) == 0 && status.st_mode & 0o777 == 0o700)
  }

  @Test func `what is in the way is named`() throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: []).write(to: folder.path(of: "file"))

    #expect(throws: SystemError(number: ENOTDIR)) { try Folder.make(folder.path(of: "file/b")) }
  }

  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a/b", "a"), ("a", "."), ("/a/b/", "/a/b")])
  func `a file stands in the folder before its last slash`(path: String, folder: String) {
    expect(Folder.containing(path), folder)
  }

  @Test func `entries are files and folders, without the two that every folder has`() throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: []).write(to: folder.path(of: "file"))
    try Folder.make(folder.path(of: "folder"))

    let entries = Folder.entries(of: folder.path).sorted { $0.name < $1.name }

    expect(entries.map(\.name), ["file", "folder"])
    expect(entries.map(\.isFolder), [false, true])
    #expect(Folder.entries(of: folder.path(of: "none")).isEmpty)
  }
}

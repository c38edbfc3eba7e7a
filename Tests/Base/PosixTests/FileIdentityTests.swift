import Expectations
import Glibc
import Posix
import TestSupport
import Testing

struct FileIdentityTests {
  private static func write(_ text: String, to path: String) throws {
    try FileContent(bytes: Array(text.utf8)).write(to: path)
  }

  @Test func `a file keeps its place when it is renamed, moved, linked to, written to and closed`()
    throws
  {
    let folder = try TemporaryFolder()
    let (old, new) = (folder.path(of: "old"), folder.path(of: "below/new"))
    try Self.write("market", to: old)
    let position = try FileIdentity(of: old)
    try Folder.make(folder.path(of: "below"))

    expect(rename(old, new), 0)
    expect(symlink(new, folder.path(of: "symbolic")), 0)
    expect(link(new, folder.path(of: "hard")), 0)
    let file = open(new, O_WRONLY | O_APPEND)
    #expect(Glibc.write(file, "more", 4) == 4 && close(file) == 0)

    for name in ["below/new", "symbolic", "hard"] {
      try expect(FileIdentity(of: folder.path(of: name)), position)
    }
  }

  @Test func `a copy has another place, also one with all times that takes the file's name`()
    throws
  {
    let folder = try TemporaryFolder()
    let (path, copy) = (folder.path(of: "market"), folder.path(of: "copy"))
    try Self.write("market", to: path)
    let position = try FileIdentity(of: path)
    var status = stat()
    expect(stat(path, &status), 0)

    try Self.write("market", to: copy)
    let times = [status.st_atim, status.st_mtim]
    expect(utimensat(AT_FDCWD, copy, times, 0), 0)
    #expect(try FileIdentity(of: copy) != position)
    expect(rename(copy, path), 0)

    #expect(try FileIdentity(of: path) != position)
  }

  @Test func `what is not there has none, and its reason is told`() throws {
    let folder = try TemporaryFolder()

    #expect(throws: SystemError(number: ENOENT)) { try FileIdentity(of: folder.path(of: "none")) }
  }
}

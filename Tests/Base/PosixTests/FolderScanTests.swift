import Expectations
import Glibc
import Posix
import TestSupport
import Testing

struct FolderScanTests {
  private func scan(_ folder: borrowing TemporaryFolder, limit: Int = 100) throws -> FolderScan {
    try FolderScan(of: folder.path, limit: limit) { $0.hasSuffix(".jpg") }
  }

  @Test func `wanted files come with their size, folders always, hidden ones never`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.jpg", "a.txt", ".b.jpg"] {
      try FileContent(bytes: [1, 2, 3]).write(to: folder.path(of: name))
    }
    try Folder.make(folder.path(of: "old"))

    let entries = try scan(folder).entries.sorted { $0.name < $1.name }

    expect(entries.map(\.name), ["a.jpg", "old"])
    expect(entries.map(\.isFolder), [false, true])
    #expect(entries[0].bytes == 3 && entries[0].modified > 1_700_000_000)
  }

  @Test func `links count as what they lead to, pipes and what is gone do not count`() throws {
    let folder = try TemporaryFolder()
    let far = try TemporaryFolder()
    symlink(far.path, folder.path(of: "far"))
    symlink(folder.path(of: "none"), folder.path(of: "gone.jpg"))
    mkfifo(folder.path(of: "pipe.jpg"), 0o600)

    let entries = try scan(folder).entries

    #expect(entries.map(\.name) == ["far"] && entries[0].isFolder)
  }

  @Test func `no more names are looked at than were asked for`() throws {
    let folder = try TemporaryFolder()
    for number in 1...5 {
      try FileContent(bytes: []).write(to: folder.path(of: "\(number).jpg"))
    }

    let (some, all) = (try scan(folder, limit: 3), try scan(folder, limit: 5))

    #expect(some.entries.count == 3 && some.count == 3 && !some.isComplete)
    #expect(all.entries.count == 5 && all.isComplete)
  }

  @Test func `a folder that is not there is told from one that may not be read`() throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: []).write(to: folder.path(of: "file"))

    #expect(throws: SystemError(number: ENOENT)) {
      try FolderScan(of: folder.path(of: "none"), limit: 1) { _ in true }
    }
    #expect(throws: SystemError(number: ENOTDIR)) {
      try FolderScan(of: folder.path(of: "file"), limit: 1) { _ in true }
    }
  }
}

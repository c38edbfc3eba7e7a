import Dispatch
import Glibc
import Posix
import TestSupport
import Testing

struct DirectoryWatcherTests {
  @Test func `files of the names that were asked for are told, and no others`() async throws {
    let folder = try TemporaryFolder()
    let watch = try DirectoryWatcher(folder.path, names: ["mug"])
    var signals = watch.signals.makeAsyncIterator()

    try FileContent(bytes: [1]).write(to: folder.path(of: "cup"))
    try Folder.make(folder.path(of: "shed"))
    rename(folder.path(of: "cup"), folder.path(of: "mug"))
    let isTold: Void? = await signals.next()
    rename(folder.path, folder.path + "-moved")
    let isToldAgain: Void? = await signals.next()
    rename(folder.path + "-moved", folder.path)

    #expect(isTold != nil)
    #expect(isToldAgain == nil)
  }

  @Test func `what happened once is told again after pauses`() async throws {
    let folder = try TemporaryFolder()
    let watch = try DirectoryWatcher(
      folder.path, names: ["mug"], echoes: Array(repeating: .milliseconds(20), count: 50))
    var signals = watch.signals.makeAsyncIterator()

    try FileContent(bytes: [1]).write(to: folder.path(of: "mug"))

    for _ in 1...3 {
      let isTold: Void? = await signals.next()
      #expect(isTold != nil)
    }
  }

  @Test func `what is no folder is refused with the system's reason`() throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: []).write(to: folder.path(of: "file"))

    #expect(throws: SystemError(number: ENOENT)) {
      try DirectoryWatcher(folder.path(of: "nowhere"), names: [])
    }
    #expect(throws: SystemError(number: ENOTDIR)) {
      try DirectoryWatcher(folder.path(of: "file"), names: [])
    }
  }
}

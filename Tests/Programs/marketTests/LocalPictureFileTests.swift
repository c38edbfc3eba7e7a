import Expectations
import Glibc
import MarketModel
import Posix
import Testing

import struct TestSupport.FileContent
import struct TestSupport.TemporaryFolder

@testable import market

struct LocalPictureFileTests {
  private let name = PictureFileName("Mug", format: .jpeg)

  @Test func `a picture is saved under its name`() throws {
    let folder = try TemporaryFolder()

    let saved = try LocalPictureFile.save([1, 2, 3], as: name, in: folder.path).get()

    expect(saved, "Mug.jpg")
    try expect(FileContent(of: folder.path(of: saved)).bytes, [1, 2, 3])
  }

  @Test func `a file that is there is never overwritten`() throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: [9]).write(to: folder.path(of: "Mug.jpg"))

    let saved = try LocalPictureFile.save([1], as: name, in: folder.path).get()

    expect(saved, "Mug-2.jpg")
    try expect(FileContent(of: folder.path(of: "Mug.jpg")).bytes, [9])
  }

  @Test func `a pipe, a device and a folder are not written to, and nobody waits for them`() throws
  {
    let folder = try TemporaryFolder()
    mkfifo(folder.path(of: "Mug.jpg"), 0o600)
    symlink("/dev/null", folder.path(of: "Mug-2.jpg"))
    mkdir(folder.path(of: "Mug-3.jpg"), 0o700)

    let saved = try LocalPictureFile.save([1], as: name, in: folder.path).get()

    expect(saved, "Mug-4.jpg")
    var status = stat()
    #expect(lstat(folder.path(of: "Mug.jpg"), &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func `nothing is written through a link, wherever it leads`() throws {
    let folder = try TemporaryFolder()
    symlink(folder.path(of: "elsewhere"), folder.path(of: "Mug.jpg"))

    let saved = try LocalPictureFile.save([1], as: name, in: folder.path).get()

    expect(saved, "Mug-2.jpg")
    #expect(access(folder.path(of: "elsewhere"), F_OK) != 0)
  }

  @Test func `a folder that is not there is an error in words`() {
    let saved = LocalPictureFile.save([1], as: name, in: "/no/such/folder")

    expect(saved, .failure(SystemError(number: ENOENT)))
  }
}

import Expectations
import Glibc
import MarketModel
import Testing

import struct TestSupport.FileContent
import struct TestSupport.TemporaryFolder

@testable import market

struct TemporaryPicturesTests {
  private let name = PictureFileName("Mug", format: .jpeg)

  private static func pictures(in folder: String) -> TemporaryPictures {
    TemporaryPictures { $0 == "XDG_RUNTIME_DIR" ? folder : nil }
  }

  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    stat(path, &status)
    return status.st_mode & 0o777
  }

  @Test func `what is lent only its owner can read`() throws {
    let folder = try TemporaryFolder()
    let pictures = Self.pictures(in: folder.path)

    let path = try pictures.lend([1, 2], name).get()

    #expect(path.hasPrefix(folder.path + "/market-picture-") && path.hasSuffix("/Mug.jpg"))
    expect(Self.mode(path), 0o600)
    expect(Self.mode(String(path.dropLast("/Mug.jpg".count))), 0o700)
    try expect(FileContent(of: path).bytes, [1, 2])
  }

  @Test func `at the end all goes but what a viewer may still be about to read`() throws {
    let folder = try TemporaryFolder()
    let pictures = Self.pictures(in: folder.path)
    let path = try pictures.lend([1], name).get()

    pictures.takeBack()
    expect(access(path, F_OK), 0)
    pictures.takeBack(asOf: .now + .seconds(30))

    #expect(access(path, F_OK) != 0)
  }

  @Test func `what earlier runs left behind goes when it is old, and nothing else`() throws {
    let folder = try TemporaryFolder()
    let left = try Self.pictures(in: folder.path).lend([1], name).get()
    mkdir(folder.path(of: "other"), 0o700)
    try FileContent(bytes: [1]).write(to: folder.path(of: "other/kept"))
    symlink(folder.path(of: "other"), folder.path(of: "market-picture-link"))

    Self.pictures(in: folder.path).removeOld(before: time(nil) - 60)
    expect(access(left, F_OK), 0)
    Self.pictures(in: folder.path).removeOld(before: time(nil) + 60)

    #expect(access(left, F_OK) != 0)
    expect(access(folder.path(of: "other/kept"), F_OK), 0)
  }
}

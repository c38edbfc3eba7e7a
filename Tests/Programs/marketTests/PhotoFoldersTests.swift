import Expectations
import Glibc
import MarketModel
import MarketViewModels
import Posix
import SafeTextKit
import TestSupport
import Testing

@testable import market

/// The seller's folders, in one of which every file is a picture by its name.
struct PhotoFoldersTests {
  private let folders = PhotoFolders()
  /// 가, the letter taken apart as a Mac writes it.
  private static let decomposed = "\u{1100}\u{1161}.jpg"

  private func makeFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["b10.jpg", "B2.JPG", "a.txt", ".c.jpg", "b1.png", Self.decomposed] {
      try FileContent(bytes: [1]).write(to: folder.path(of: name))
    }
    for name in ["old", "Art", "old/x"] { try Folder.make(folder.path(of: name)) }
    for name in ["old/1.jpg", "Art/1.jpg", "old/x/2.jpg"] {
      try FileContent(bytes: [1]).write(to: folder.path(of: name))
    }
    return folder
  }

  @Test func `folders come first, then pictures by name, numbers by their size`() async throws {
    let folder = try makeFolder()

    let listing = await folders.listing(of: folder.path + "/")

    expect(listing.entries.map(\.name), ["Art", "old", "b1.png", "B2.JPG", "b10.jpg", "가.jpg"])
    #expect(listing.isComplete && listing.problem == nil)
  }

  @Test func `what is no folder is told about`() async throws {
    let folder = try makeFolder()

    await expect(folders.listing(of: folder.path(of: "none")).problem, .missing)
    await expect(folders.listing(of: folder.path(of: "a.txt")).problem, .missing)
  }

  @Test(arguments: [
    ("*.jpg", ["b10.jpg", "가.jpg"]), ("[가-힣].jpg", ["가.jpg"]), ("b?.png", ["b1.png"]),
    ("*", ["b1.png", "B2.JPG", "b10.jpg", "가.jpg"]), ("*/1.jpg", ["Art/1.jpg", "old/1.jpg"]),
    ("old/*/*.jpg", ["old/x/2.jpg"]), ("none/*.jpg", []), ("*.txt", []),
  ])
  func `a pattern finds pictures`(pattern: String, found: [String]) async throws {
    let folder = try makeFolder()

    let paths = await folders.files(matching: folder.path + "/" + pattern)

    expect(paths.map { String($0.dropFirst(folder.path.count + 1)) }, found)
  }

  @Test(arguments: [[0xFF], [0xC7, 0xD1], [0xEC, 0x9E]] as [[UInt8]])
  func `a name that is no UTF-8 is listed, read, and found by what is shown of it`(
    strange: [UInt8]
  ) async throws {
    let folder = try TemporaryFolder()
    let bytes = Array("/a".utf8) + strange + Array("b.jpg".utf8)
    let photo = try FileContent(of: "Tests/Fixtures/Pictures/baseline.jpg").bytes
    try PrivateFile.write(photo, to: folder.path + "/plain")
    let path = Array(folder.path.utf8) + bytes
    expect(rename(folder.path + "/plain", path.map(CChar.init(bitPattern:)) + [0]), 0)
    let shown = String(decoding: bytes.dropFirst(), as: UTF8.self)

    let listing = await folders.listing(of: folder.path + "/")
    let entry = try #require(listing.entries.first)

    expect(SafeText(entry.name).string.filter { $0 != "\u{FFFD}" }, "ab.jpg")
    try await expect(LocalPhotos().read(folder.path + "/" + entry.name), photo)
    try await expect(LocalPhotos().read(folder.path + "/" + shown), photo)
    await expect(folders.files(matching: folder.path + "/a*.jpg").map(FileName.bytes), [path])
    #expect(await LocalPhotos().hasFile(FileName.text(path)))
  }

  @Test func `a name is found in whichever form a disk has it`() async throws {
    let folder = try makeFolder()

    let path = try #require(await folders.existing(folder.path(of: "가.jpg")))

    #expect(path.utf8.elementsEqual(folder.path(of: Self.decomposed).utf8))
    await expect(folders.existing(folder.path(of: "각.jpg")), nil)
    await expect(folders.existing(folder.path(of: "old/")), folder.path(of: "old/"))
  }
}

import Expectations
import Posix
import TestSupport
import Testing

@testable import market

final class DesktopFilesTests {
  private let folder: TemporaryFolder
  private var share: String { folder.path(of: "prefix/share") }
  private var home: String { folder.path(of: "home/share") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func copy() throws -> [String] {
    try DesktopFiles.copy(from: share, to: home, opening: "/opt/my tools/bin/market")
  }

  private func put(_ text: String, _ name: String) throws {
    try Folder.make(Folder.containing(share + "/" + name))
    try FileContent(bytes: Array(text.utf8)).write(to: share + "/" + name)
  }

  @Test func `what stands beside the program is copied, and the menu opens that program`() throws {
    try put("manual", "man/man1/market.1")
    try put("[Desktop Entry]\nExec=market -- %u\n", "applications/openmarket.desktop")

    let copies = try copy()

    let names = ["man/man1/market.1", "applications/openmarket.desktop"]
    expect(copies, names.map { home + "/" + $0 })
    try expect(FileContent(of: copies[0]).bytes, Array("manual".utf8))
    try expect(
      FileContent(of: copies[1]).bytes,
      Array("[Desktop Entry]\nExec=\"/opt/my tools/bin/market\" -- %u\n".utf8))
  }

  @Test func `a program that has nothing beside it copies nothing`() throws {
    try expect(copy(), [])
  }

  @Test func `a home that cannot be written is an error of the system`() throws {
    try put("manual", "man/man1/market.1")
    try Folder.make(folder.path(of: "home"))
    try FileContent(bytes: []).write(to: home)

    expect(#expect(throws: SystemError.self) { try copy() }?.description, "Not a directory")
  }
}

import Glibc
import MarketModel
import MarketViewModels
import TestSupport
import Testing

@testable import market

/// Files of the program that something else lies in the place of.
@Suite struct PrivateFileTests {
  private let secret = Array("secret".utf8)

  @Test func `a link in the way is replaced, not followed`() throws {
    let folder = try TemporaryFolder()
    let other = FileContent(bytes: Array("theirs".utf8))
    try other.write(to: folder.path(of: "other"))
    symlink(folder.path(of: "other"), folder.path(of: "file"))

    #expect(PrivateFile.write(secret, to: folder.path(of: "file")))

    #expect(try FileContent(of: folder.path(of: "other")) == other)
    #expect(PrivateFile.read(folder.path(of: "file"), limit: 100) == secret)
  }

  @Test func `a link or a pipe beside a file is neither written to nor waited for`() throws {
    let folder = try TemporaryFolder()
    let other = FileContent(bytes: Array("theirs".utf8))
    try other.write(to: folder.path(of: "other"))
    symlink(folder.path(of: "other"), folder.path(of: "file.new"))
    mkfifo(folder.path(of: "pipe.new"), 0o600)

    #expect(PrivateFile.write(secret, to: folder.path(of: "file")))
    #expect(PrivateFile.write(secret, to: folder.path(of: "pipe")))

    #expect(try FileContent(of: folder.path(of: "other")) == other)
  }

  @Test func `writers at once leave the content of one of them, and nothing beside it`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "file")
    let contents = (0..<8).map { Array(repeating: UInt8($0), count: 100_000 * ($0 + 1)) }

    await withTaskGroup { group in
      for content in contents { group.addTask { PrivateFile.write(content, to: path) } }
      for await isWritten in group { #expect(isWritten) }
    }

    #expect(contents.contains(try FileContent(of: path).bytes))
    #expect(Folder.entries(of: folder.path).map(\.name) == ["file"])
  }

  @Test func `a file is its owner's alone, whatever it was before`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "file")
    try FileContent(bytes: []).write(to: path)
    chmod(path, 0o666)

    #expect(PrivateFile.write(secret, to: path))

    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `a pipe, a folder and what is too long are not read, and nobody waits`() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.path(of: "pipe"), 0o600)
    try FileContent(bytes: Array(repeating: 0, count: 101)).write(to: folder.path(of: "long"))

    for path in [folder.path(of: "pipe"), folder.path(of: "long"), folder.path, "/dev/zero"] {
      #expect(PrivateFile.read(path, limit: 100) == nil)
    }
  }

  @Test func `settings that cannot be read are said to be so, and are not overwritten`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "settings.json")
    mkfifo(path, 0o600)
    let file = SettingsFile(path: path)

    #expect(file.read().mistakes.map(\.kind) == [.closed])
    #expect(!file.remember("home", "http://127.0.0.1/"))

    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func `an account that cannot be read is kept when a new one is made`() async throws {
    let folder = try TemporaryFolder()
    let broken = FileContent(bytes: [0xFF, 0])
    try broken.write(to: folder.path(of: "seller-local"))
    let accounts = AccountFile(folder: folder.path, name: "seller-local")

    let made = await accounts.account()

    #expect(await accounts.known()?.identifier.secret == made.identifier.secret)
    #expect(try FileContent(of: folder.path(of: "seller-local.old")) == broken)
  }
}

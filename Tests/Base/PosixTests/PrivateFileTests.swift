import Expectations
import Glibc
import Posix
import TestSupport
import Testing

struct PrivateFileTests {
  private let secret = Array("secret".utf8)

  @Test func `a link in the way is replaced, not followed`() throws {
    let folder = try TemporaryFolder()
    let other = FileContent(bytes: Array("theirs".utf8))
    try other.write(to: folder.path(of: "other"))
    symlink(folder.path(of: "other"), folder.path(of: "file"))

    try PrivateFile.write(secret, to: folder.path(of: "file"))

    try expect(FileContent(of: folder.path(of: "other")), other)
    try expect(PrivateFile.read(folder.path(of: "file"), limit: 100), secret)
  }

  @Test func `a link or a pipe beside a file is neither written to nor waited for`() throws {
    let folder = try TemporaryFolder()
    let other = FileContent(bytes: Array("theirs".utf8))
    try other.write(to: folder.path(of: "other"))
    symlink(folder.path(of: "other"), folder.path(of: "file.new"))
    mkfifo(folder.path(of: "pipe.new"), 0o600)

    try PrivateFile.write(secret, to: folder.path(of: "file"))
    try PrivateFile.write(secret, to: folder.path(of: "pipe"))

    try expect(FileContent(of: folder.path(of: "other")), other)
  }

  @Test func `writers at once leave the content of one of them, and nothing beside it`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "file")
    let contents = (0..<8).map { Array(repeating: UInt8($0), count: 100_000 * ($0 + 1)) }

    try await withThrowingTaskGroup { group in
      for content in contents { group.addTask { try PrivateFile.write(content, to: path) } }
      try await group.waitForAll()
    }

    #expect(contents.contains(try FileContent(of: path).bytes))
    expect(Folder.entries(of: folder.path).map(\.name), ["file"])
  }

  @Test func `what a killed writer left is gone with the next writing, and nothing else is`() throws
  {
    let folder = try TemporaryFolder()
    let (old, young) = ("file.0123456789abcdef", "file.fedcba9876543210")
    let kept = [
      "file.1", "file.20240101120000", "file.0123456789ABCDEF", "file.0123456789abcdef0",
      "file.bak",
      "other.0123456789abcdef", young,
    ]
    for name in kept + [old] { try FileContent(bytes: [1]).write(to: folder.path(of: name)) }
    symlink("nowhere", folder.path(of: "file.00000000000000ff"))
    mkdir(folder.path(of: "file.00000000000000fe"), 0o700)
    for entry in Folder.names(in: folder.path) where entry != young {
      Self.age(folder.path(of: entry))
    }

    try PrivateFile.write(secret, to: folder.path(of: "file"))

    expect(
      Set(Folder.names(in: folder.path)),
      Set(kept + ["file", "file.00000000000000ff", "file.00000000000000fe"]))
    expect(rmdir(folder.path(of: "file.00000000000000fe")), 0)
  }

  /// Sets the times of a file to a day ago.
  private static func age(_ path: String) {
    let day = timespec(tv_sec: time(nil) - 86_400, tv_nsec: 0)
    utimensat(AT_FDCWD, path, [day, day], AT_SYMLINK_NOFOLLOW)
  }

  @Test func `a file is its owner's alone, whatever it was before`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "file")
    try FileContent(bytes: []).write(to: path)
    chmod(path, 0o666)

    try PrivateFile.write(secret, to: path)

    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `a pipe, a folder and what is too long are not read, and nobody waits`() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.path(of: "pipe"), 0o600)
    try FileContent(bytes: Array(repeating: 0, count: 101)).write(to: folder.path(of: "long"))

    for path in [folder.path(of: "pipe"), folder.path, "/dev/zero"] {
      #expect(throws: SystemError(number: EINVAL)) { try PrivateFile.read(path, limit: 100) }
    }
    #expect(throws: SystemError(number: EFBIG)) {
      try PrivateFile.read(folder.path(of: "long"), limit: 100)
    }
  }
}

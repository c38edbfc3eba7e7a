import Expectations
import Glibc
import MarketModel
import Posix
import TestSupport
import Testing

@testable import market

final class GuestDirectoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func directory(guests: Int = 50, kept: Int = 1_000) throws(GuestError) -> GuestDirectory {
    var limits = HostingOptions()
    limits.state = folder.path(of: "house")
    limits.maxGuests = guests
    limits.maxSavedGuests = kept
    return try GuestDirectory(limits)
  }

  private func key(_ number: UInt8) -> KeyFingerprint { KeyFingerprint(ofKey: [number]) }

  private func caller(_ key: UInt8?, at address: String = "192.0.2.7") throws(GuestError)
    -> SSHClientInfo
  {
    try SSHClientInfo { name in
      switch name {
      case "SSH_CONNECTION": "\(address) 1 192.0.2.1 22"
      case Guest.keyVariable: key.map { self.key($0).text }
      default: nil
      }
    }
  }

  @Test func `a key is the same seller each time, and no other's`() throws {
    let first = try directory().secret.seller(of: key(1))

    try expect(directory().secret.seller(of: key(1)), first)
    #expect(try directory().secret.seller(of: key(2)) != first)
    #expect(first.secret.count == 36 && first.secret.dropFirst(14).first == "8")
  }

  @Test func `with another secret a key is another seller`() throws {
    let first = try directory().secret.seller(of: key(1))
    unlink(folder.path(of: "house/secret"))

    #expect(try directory().secret.seller(of: key(1)) != first)
  }

  @Test func `a secret that cannot be read is not made anew`() throws {
    _ = try directory()
    try PrivateFile.write([1, 2, 3], to: folder.path(of: "house/secret"))

    #expect(throws: GuestError.self) { try directory() }
    try expect(PrivateFile.read(folder.path(of: "house/secret"), limit: 9), [1, 2, 3])
  }

  @Test func `two guests keep their things apart, under names that tell neither key nor seller`()
    throws
  {
    let directory = try directory()

    let folders = try [1, 2].map { try #require(directory.visit(key($0))) }

    #expect(folders[0] != folders[1])
    expect(directory.visit(key(1)), folders[0])
    for folder in folders {
      #expect(!folder.contains(directory.secret.seller(of: key(1)).secret))
      #expect(!folder.contains(key(1).text.dropFirst(7).prefix(8)))
    }
  }

  @Test func `a folder that others can change, or a link to one, is not taken`() throws {
    mkdir(folder.path(of: "house"), 0o777)
    chmod(folder.path(of: "house"), 0o777)
    #expect(throws: GuestError.openState(folder: folder.path(of: "house"))) { try directory() }

    rmdir(folder.path(of: "house"))
    mkdir(folder.path(of: "elsewhere"), 0o700)
    symlink(folder.path(of: "elsewhere"), folder.path(of: "house"))
    #expect(throws: GuestError.openState(folder: folder.path(of: "house"))) { try directory() }
  }

  @Test func `a link in the place of a guest's folder is not followed`() throws {
    let directory = try directory()
    let location = try #require(directory.visit(key(1)))
    rmdir(location)
    mkdir(folder.path(of: "elsewhere"), 0o700)
    symlink(folder.path(of: "elsewhere"), location)

    expect(directory.visit(key(1)), nil)
  }

  @Test func `who has left more than the bound keeps nothing more`() throws {
    let directory = try directory()
    let location = try #require(directory.visit(key(1)))
    let file = open(location + "/large", O_WRONLY | O_CREAT, 0o600)
    ftruncate(file, off_t(GuestDirectory.maxBytes + 1))
    close(file)

    expect(directory.visit(key(1)), nil)
  }

  @Test func `one guest is here five times at most, and all together as often as the host allows`()
    throws
  {
    let directory = try directory(guests: 7)

    for _ in 1...5 { try directory.enter(try caller(1)) }
    #expect(throws: GuestError.tooOften) { try directory.enter(try caller(1)) }
    for _ in 1...2 { try directory.enter(try caller(2)) }

    #expect(throws: GuestError.full) { try directory.enter(try caller(2)) }
  }

  @Test func `guests without a key are counted by their address`() throws {
    let directory = try directory()

    for _ in 1...5 { try directory.enter(try caller(nil)) }

    #expect(throws: GuestError.tooOften) { try directory.enter(try caller(nil)) }
    try directory.enter(try caller(nil, at: "192.0.2.8"))
  }

  // MARK: The tray

  @Test func `a tray holds as many photos as a product, the first that came first`() throws {
    let photoInbox = GuestPhotoInbox(folder: folder.path(of: "tray"))

    let names = (1...6).map { photoInbox.add([UInt8($0)]) }

    expect(names, (1...5).map { "photo-\($0)" } + [nil])
    expect(photoInbox.names(), (1...5).map { "photo-\($0)" })
    photoInbox.remove("photo-2")
    #expect(photoInbox.names().count == 4 && photoInbox.add([9]) == "photo-2")
    try expect(photoInbox.bytes(named: "photo-2"), [9])
  }

  @Test(arguments: [
    "/etc/passwd", "../secret", "photo-1/../../secret", "", "/", "..", "photo-9", "photo-1\0",
  ])
  func `a path leads out of no tray`(path: String) throws {
    let photoInbox = GuestPhotoInbox(folder: folder.path(of: "tray"))
    _ = photoInbox.add([1])
    try PrivateFile.write([7], to: folder.path(of: "secret"))

    #expect(throws: (any Error).self) { try photoInbox.bytes(named: path) }
    photoInbox.remove(path)
    expect(access(folder.path(of: "secret"), F_OK), 0)
  }
}

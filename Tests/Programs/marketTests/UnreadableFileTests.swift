import Expectations
import Glibc
import MarketModel
import MarketViewModels
import TestSupport
import Testing

@testable import market

/// Files of the program that something else lies in the place of.
struct UnreadableFileTests {
  @Test func `settings that cannot be read are said to be so, and are not overwritten`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "settings.json")
    mkfifo(path, 0o600)
    let file = SettingsFile(path: path)

    expect(file.read().mistakes.map(\.kind), [.closed])
    await #expect(throws: SettingsFile.Failure.mistake(SettingsDiagnostic(line: 1, kind: .closed)))
    {
      try await file.change(["servers", "home"], to: "http://127.0.0.1/")
    }

    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func `an account that cannot be read is kept when a new one is made`() async throws {
    let folder = try TemporaryFolder()
    let broken = FileContent(bytes: [0xFF, 0])
    try broken.write(to: folder.path(of: "seller-local"))
    let accounts = AccountFile(folder: folder.path, name: "seller-local")

    let made = try #require(await accounts.account())

    await expect(accounts.known()?.identifier.secret, made.identifier.secret)
    try expect(FileContent(of: folder.path(of: "seller-local.old")), broken)
  }
}

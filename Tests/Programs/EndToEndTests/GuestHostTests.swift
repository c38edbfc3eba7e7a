import Expectations
import Glibc
import TerminalTestSupport
import Testing

/// The two accounts of guests, with the configuration of the package and the rights of its unit.
@Suite(
  .ownThread,
  .enabled(if: GuestHost.isPossible, "accounts of its own need root, who may make mount namespaces")
)
struct GuestHostTests {
  @Test func `who has neither key nor password looks`() async throws {
    let session = try await GuestHost().open(as: "look")
    try session.wait(forText: "Read-only; to sell")
    try session.wait(forText: "Ware 001")

    session.type("n")

    try session.wait(forText: "This needs an SSH key")
    session.type("q")
    try expect(session.waitForExit(), .exited(status: 0))
  }

  @Test func `looking is no way to sell, whatever the client says`() async throws {
    let host = try await GuestHost()
    let key = "SetEnv=MARKET_KEY=SHA256:RbtaAhsXYOrq45friH64i+qn3F6uift9g0cZ6fYGTYI"

    let list = try host.run("list --limit 1", as: "look")
    let photo = try host.run("upload-photo", as: "look", input: "x", options: ["-o", key])
    let new = try host.run("new --name 'Red bike'", as: "look", input: "x\n", options: ["-o", key])

    #expect(list.output.contains("Ware 001") && !list.errors.contains("home directory"))
    #expect(photo.errors.contains("This needs an SSH key"))
    #expect(new.errors.contains("This needs an SSH key"))
  }

  @Test func `a key that nobody knew sells, and the program itself lets it in`() async throws {
    let host = try await GuestHost()
    let session = try host.open(as: "market")
    try session.wait(forText: "You sell with the key SHA256:")
    session.type("q")
    try expect(session.waitForExit(), .exited(status: 0))

    let list = try host.run("list --limit 1", as: "market")

    #expect(list.output.contains("Ware 001"))
    // The banner alone; sshd has nothing to say of a home.
    #expect(list.errors.contains("ssh-keygen -t ed25519"))
    #expect(!list.errors.contains("home directory"))
  }

  @Test(
    arguments: [("market", ["-o", "PubkeyAuthentication=no"]), ("root", []), ("nobody", [])]
      as [(String, [String])])
  func `without a key and as anybody else nobody comes in`(
    account: String, options: [String]
  ) async throws {
    let run = try await GuestHost().run("list", as: account, options: options)

    expect(run.output, "")
    #expect(run.errors.contains("Permission denied (publickey)"))
  }

  @Test func `a command that looks shares the market with one that sells`() async throws {
    let host = try await GuestHost()
    let session = try host.open(as: "look")
    try session.wait(forText: "Ware 001")

    #expect(try host.run("list --limit 1", as: "market").output.contains("Ware 001"))
    #expect(try host.run("show 1", as: "look").output.contains("Ware"))
    session.type("q")

    try expect(session.waitForExit(), .exited(status: 0))
  }
}

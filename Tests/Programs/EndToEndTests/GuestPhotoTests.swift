import Expectations
import Glibc
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// Photos of guests over ssh: by the command, in the form, and from a telephone.
@Suite(.ownThread) struct GuestPhotoTests {
  private static let put = "$SSH $TARGET upload-photo < Tests/Fixtures/Pictures/still.heic"
  private static let new =
    "new --name 'Red bike' --price 9000 --description 'With 21 gears.' --seller Hana"

  @Test func `a guest's HEIC is listed as a JPEG by a command`() async throws {
    let door = try await GuestDoor(.rows(3))

    expect(try door.runShell(Self.put).exit, .exited(status: 0))
    let new = try door.run(Self.new, input: "open sesame\n")

    expect(new.exit, .exited(status: 0), "\(new.errors)")
    let kept = try door.program.runShell(
      "market export --store trial.market out.ndjson && ls out.ndjson.pictures")
    #expect(kept.output.contains(".jpg"), "\(kept.output)")
  }

  @Test func `a guest's HEIC is taken by the form`() async throws {
    let door = try await GuestDoor(.rows(3))
    expect(try door.runShell(Self.put).exit, .exited(status: 0))
    let session = try door.open()
    try session.wait(forText: "Ware 001")

    session.type("n")
    try session.wait(forText: "New product")
    session.type("a")

    try session.wait(forText: "1/5")
    session.terminal.signal(SIGKILL)
  }

  @Test func `a telephone sends to the page of the guests' server, and the form has it`()
    async throws
  {
    let server = try await TrialServer(
      .rows(3), options: ["--public-url", "https://a.example"])
    let door = try await GuestDoor(.rows(3), of: server.address)
    let session = try Self.open(door)

    try session.wait(forText: "HTTPS://A.EXAMPLE/U/")
    // The token stands on one row of so wide a terminal.
    let row = try #require(session.screen.lines.first { $0.contains("/U/") })
    let token = try #require(row.firstRange(of: "/U/").map { row[$0.upperBound...].prefix(26) })
    let sent = try door.runShell(
      """
      curl -s -H 'Host: a.example' -F photos=@Tests/Fixtures/Pictures/baseline.jpg \
        \(server.address)/u/\(token.lowercased())
      """)

    #expect(sent.output.contains("✓ in the form"), "\(sent.output)")
    try session.wait(forText: "1  baseline.jpg")
    session.type("<Enter>")
    try session.wait(forText: "1/5")
    session.terminal.signal(SIGKILL)
  }

  @Test func `a guest of a file is told the command`() async throws {
    let door = try await GuestDoor(.rows(3), options: "--ssh-address market@market.example")

    let session = try Self.open(door)

    try session.wait(forText: "ssh market@market.example upload-photo < FILE")
    session.terminal.signal(SIGKILL)
  }

  /// Opens the layer for a telephone's photos over a form.
  private static func open(_ door: GuestDoor) throws -> TerminalSession {
    let session = try door.open(size: TerminalSize(columns: 120, rows: 36))
    try session.wait(forText: "Ware 001")
    session.type("n")
    try session.wait(forText: "New product")
    session.type("p")
    return session
  }
}

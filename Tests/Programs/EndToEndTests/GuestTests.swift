import Expectations
import Glibc
import TerminalTestSupport
import TestSupport
import Testing

/// Guests over ssh, on the sshd of the system.
@Suite(.ownThread) struct GuestTests {
  @Test func `a guest sees the market at once, and whose key it is`() async throws {
    let session = try await GuestDoor().open()

    try session.wait(forText: "Ware 001")
    try session.wait(forText: "You sell with the key SHA256:")
    session.type("q")

    try expect(session.waitForExit(), .exited(status: 0))
    expect(session.unrestored, [])
  }

  @Test func `the guests' shell runs nothing of the caller's`() throws {
    let folder = try TemporaryFolder()
    for name in ["sed", "grep", "sh"] {
      let path = folder.path(of: name)
      try FileContent(bytes: Array("#!/bin/sh\necho taken\n".utf8)).write(to: path)
      chmod(path, 0o700)
    }

    let run = try PipedRun(
      ["/bin/sh", "Resources/ssh/guest-shell", "-c", "id"],
      environment: ["PATH": folder.path + ":/usr/bin:/bin"])

    #expect(run.exit == .exited(status: 1) && run.output.isEmpty)
    #expect(run.errors.hasPrefix("This account is for guests over ssh"))
  }

  @Test func `who has no key looks, and learns how to come with one`() async throws {
    let door = try await GuestDoor(naming: false, options: "--ssh-address market@market.example")
    let session = try door.open()
    try session.wait(forText: "Read-only; to sell")

    session.type("n")

    try session.wait(forText: "then ssh market@market.example")
    let run = try door.run("new --name 'Red bike' --price 1", input: "secret\n")
    expect(run.exit, .exited(status: 1))
    #expect(run.errors.contains("needs an SSH key"))
    #expect(try door.run("list --limit 1").output.contains("Ware 001"))
  }

  @Test func `the window may change its size, and the line may be lost`() async throws {
    let session = try await GuestDoor().open()
    try session.wait(forText: "Ware 001")

    try session.resizeAndWait(to: TerminalSize(columns: 120, rows: 36))

    session.terminal.signal(SIGKILL)
    try expect(session.waitForExit(), .killed(signal: SIGKILL))
  }

  @Test func `the place of who was lost is free again`() async throws {
    let door = try await GuestDoor(options: "--max-guests 1")
    let first = try door.open()
    try first.wait(forText: "Ware 001")
    #expect(
      try door.run("list", as: "two").errors.contains("The maximum number of guests is connected"))

    try first.kill()

    // The daemon sees the end of the line on its own time, and the next one waits for it.
    let second = try door.runShell(
      "for try in $(seq 100); do $SSH $TARGET list 2>&1 && exit 0; read -rt 0.1 <> <(:); done; exit 1"
    )
    expect(second.exit, .exited(status: 0))
  }

  @Test func `several guests are there at once`() async throws {
    let door = try await GuestDoor()

    let sessions = try ["one", "two", "one", "two"].map { try door.open(as: $0) }

    for session in sessions { try session.wait(forText: "Ware 001") }
    for session in sessions { session.type("q") }
    for session in sessions { try expect(session.waitForExit(), .exited(status: 0)) }
  }

  @Test func `a guest sells by a command, with a photo from the tray, and nobody else changes it`()
    async throws
  {
    let door = try await GuestDoor()
    let photo = try door.runShell(
      "$SSH $TARGET upload-photo < \(Self.fixtures)/baseline.jpg")
    #expect(photo.output.hasPrefix("photo-1 is in your tray"))

    let new =
      "new --name 'Red \"fast\" bike' --price 9000 --description 'With 21 gears.' --seller Hana --json"
    let sold = try door.run(new, input: "open sesame\n")
    expect(sold.exit, .exited(status: 0), "\(sold.errors)")
    #expect(sold.output.contains(#""name":"Red \"fast\" bike""#))
    let again = try door.run(new, input: "open sesame\n")
    let own = try door.run("edit 46 --stock 7 --json", input: "open sesame\n")
    let other = try door.run("edit 46 --stock 8", as: "two", input: "open sesame\n")

    #expect(again.errors.contains("--photo"), "the tray is empty by then: \(again.errors)")
    #expect(own.output.contains(#""stock":7"#))
    #expect(other.exit != .exited(status: 0))
  }

  @Test func `keys with a visit and refused commands leave the place to who keeps something`()
    async throws
  {
    let door = try await GuestDoor(keys: ["one", "two", "three"], options: "--max-saved-guests 1")
    let session = try door.open(as: "one")
    try session.wait(forText: "Ware 001")
    session.type("q")
    try expect(session.waitForExit(), .exited(status: 0))
    _ = try door.run("sh", as: "one")
    _ = try door.run("edit 1 --stock 2", as: "one", input: "wrong password\n")

    let photo = "upload-photo < \(Self.fixtures)/baseline.jpg"
    let second = try door.runShell("${SSH/\\/one /\\/two } $TARGET \(photo)")

    #expect(second.output.hasPrefix("photo-1 is in your tray"), "\(second.errors)")
  }

  @Test(arguments: [
    "sh", "/bin/sh -i", "bash -c id", "scp -t /tmp", "/usr/lib/openssh/sftp-server", "serve",
    "export /tmp/x", "import /etc/passwd", "doctor", "guest --store /tmp/x", "market guest",
    "list; id", "list $(id)", "list `id`", "list | sh", "list > /tmp/x", "'", "rsync --server .",
    "list --store /etc/passwd", "list --log /tmp/x", "list --server http://127.0.0.1:1",
    "new --from-file /etc/passwd", "edit --from-file /etc/passwd",
    "delete --from-file /etc/passwd --yes",
    "edit 1 --photo /etc/passwd --stock 1",
    "data export -", "identity", "completion bash", "man", "alerts --on-alert", "help serve",
    "git-upload-pack x", "tmux", "nc -l 1",
  ])
  func `everything else gets one sentence`(command: String) async throws {
    let run = try await Self.shared().run(command, input: "password\n")

    #expect(run.exit != .exited(status: 0))
    expect(run.output, "")
    // What the account's own shell may say at its start comes before.
    let said = run.errors.split(separator: "\n").drop { !$0.hasPrefix("market: ") }
    expect(said.count, 1, "\(run.errors)")
    #expect(!run.errors.contains("root:"))
  }

  @Test func `sftp gets one sentence, and nothing is forwarded`() async throws {
    let door = try await GuestDoor()

    let sftp = try door.runShell("$SSH -s $TARGET sftp < /dev/null")
    let remote = try door.runShell(
      "$SSH -o ExitOnForwardFailure=yes -N -R 0:127.0.0.1:1 $TARGET")

    #expect(sftp.errors.hasPrefix("subsystem request failed"))
    #expect(sftp.exit != .exited(status: 0))
    #expect(remote.errors.contains("forwarding failed"))
  }

  @Test(arguments: [
    "../../../../tmp/x", "/etc/passwd", "dumb", "no-such-terminal", "xterm\u{1B}[2J",
  ])
  func `a hostile terminal ends in a sentence or a screen`(terminal: String) async throws {
    let session = try await Self.shared().open(environment: ["TERM": terminal])

    let exit = try? session.waitForExit(timeout: .seconds(2))

    #expect(exit != .killed(signal: SIGSEGV) && exit != .exited(status: 139))
    session.terminal.signal(SIGKILL)
  }

  @Test func `a command without an end is refused`() async throws {
    let run = try await Self.shared().run(
      "list --search '" + String(repeating: "x ", count: 50_000) + "'")

    #expect(run.errors.contains("Shell syntax is not supported"))
  }

  @Test func `the full screen without a terminal says so`() async throws {
    let run = try await Self.shared().runShell("$SSH -T $TARGET < /dev/null")

    expect(run.exit, .exited(status: 1))
    #expect(run.errors.hasPrefix("market: "))
  }

  @Test func `a guest's process is closed to others, and has no variables of the host`()
    async throws
  {
    let door = try await GuestDoor()
    let session = try door.open()
    try session.wait(forText: "Ware 001")

    let facts = try door.runShell(
      """
      for p in /proc/[0-9]*; do
        tr '\\0' ' ' < $p/cmdline 2>/dev/null | grep -q '^[^ ]*/market guest .*\(door.program.path(of: "guests"))' &&
          { grep -E '^(Seccomp|NoNewPrivs):' $p/status; stat -c 'owner %U' $p/mem; }
      done
      """)

    #expect(facts.output.contains("Seccomp:\t2"))
    #expect(facts.output.contains("NoNewPrivs:\t1"))
    // What belongs to root here is not dumpable (proc(5)).
    #expect(facts.output.contains("owner root"))
  }

  // MARK: Without sshd

  @Test func `without what sshd says nobody is served`() async throws {
    let program = try await MarketProgram(nil)

    let run = try program.run("guest", "--store", "x", "--state", program.path(of: "guests"))

    expect(run.exit, .exited(status: 1))
    #expect(run.errors.contains("This command is started by sshd"))
  }

  @Test(arguments: [["a", "b", "c"], ["--help", "x", "y"], ["", "", ""]])
  func `a key that is none is answered by the exit status alone`(words: [String]) async throws {
    let run = try await MarketProgram(nil).run(["guest-key"] + words)

    expect(run.exit, .exited(status: 1))
    #expect(run.output == "" && run.errors == "")
  }

  @Test func `the program answers sshd as the command of root's does`() async throws {
    let program = try await MarketProgram(nil)

    let run = try program.runShell(
      """
      ssh-keygen -q -t ed25519 -N '' -f key
      set -- $(cat key.pub) $(ssh-keygen -lf key.pub)
      market guest-key "$5" "$1" "$2"
      echo "restrict,pty,environment=\\"MARKET_KEY=$5\\" $1 $2"
      """)

    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2 && lines.first == lines.last, "\(run.output) \(run.errors)")
  }

  /// One door for what leaves nothing behind.
  private static func shared() async throws -> GuestDoor { try await GuestDoor(.rows(3)) }

  private static let fixtures =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Fixtures/Pictures"
}

import Expectations
import Glibc
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// What a hostile guest tries, and what too many of them take, on the sshd of the system.
@Suite(.ownThread) struct GuestAttackTests {
  @Test func `no connection leads through the door, whichever way it is asked for`() async throws {
    let door = try await GuestDoor(.rows(3))
    // A free port, which ssh takes.
    let near = try ReservedPort().number

    // The daemon itself listens there, and sends its name to each client.
    let through = try door.runShell("timeout 20 $SSH -W 127.0.0.1:$PORT $TARGET < /dev/null")
    let line = door.program.path(of: "line")
    let local = try door.runShell(
      """
      $SSH -M -S \(line) -f -N -L \(near):127.0.0.1:$PORT $TARGET
      exec 3<>/dev/tcp/127.0.0.1/\(near) && timeout 5 cat <&3; echo "closed $?"
      $SSH -S \(line) -O exit $TARGET 2>/dev/null
      """)

    #expect(through.output == "" && through.errors.contains("stdio forwarding failed"))
    expect(local.output, "closed 0\n", "\(local.errors)")
  }

  @Test(arguments: ["", "-O"])
  func `a file is copied neither here nor away`(form: String) async throws {
    let door = try await GuestDoor(.rows(3))
    let (client, got) = (door.program.path(of: "client"), door.program.path(of: "got"))
    let copy = """
      printf '#!/bin/sh\\nexec %s "$@"\\n' "$SSH" > \(client); chmod 700 \(client)
      scp \(form) -S \(client)
      """

    let there = try door.runShell(copy + " /etc/hostname $TARGET:/tmp/")
    let back = try door.runShell(copy + " $TARGET:/etc/passwd \(got)")

    #expect(there.exit != .exited(status: 0) && back.exit != .exited(status: 0))
    #expect(there.errors != "" && access(got, F_OK) != 0)
  }

  @Test func `variables of the client make nobody another guest, and lead to no file`() async throws
  {
    let door = try await GuestDoor(.rows(3), naming: false)

    let run = try door.run(
      "new --name 'Red bike' --price 1", input: "secret\n",
      options: [
        "-o",
        "SetEnv=MARKET_KEY=\(Self.otherKey) HOME=/tmp LD_PRELOAD=/tmp/x",
      ])
    let words = try door.run(
      "list --limit 1", options: ["-o", "SetEnv=LANG=../../../tmp/x LC_ALL=/etc COLORTERM=%n"])

    #expect(run.errors.contains("needs an SSH key"))
    #expect(words.output.contains("Ware 001"))
  }

  @Test func `several commands may come over one line, and no more than sshd allows at once`()
    async throws
  {
    let door = try await GuestDoor(.rows(3), settings: "MaxSessions 2")
    let line = door.program.path(of: "line")

    let run = try door.runShell(
      """
      $SSH -M -S \(line) -f -N $TARGET
      for number in 1 2 3 4 5; do $SSH -S \(line) $TARGET 'list --limit 1' & done; wait
      $SSH -S \(line) -O exit $TARGET 2>/dev/null
      """)

    #expect(run.output.split(separator: "\n").allSatisfy { $0.contains("Ware 001") })
    #expect(run.output.contains("Ware 001"))
  }

  @Test(arguments: [
    "head -c 200 \(fixtures)/baseline.jpg", "cat /etc/passwd",
    "printf 'GIF89a\\377\\377\\377\\377\\367\\0\\0'",
    "printf '\\211PNG\\r\\n\\032\\n\\0\\0\\0\\rIHDR\\377\\377\\377\\377\\377\\377\\377\\377\\010\\002'",
    "true", "head -c 25000000 /dev/zero", "cat /dev/zero",
  ])
  func `what is no photo ends in a sentence, and leaves nothing`(source: String) async throws {
    let door = try await GuestDoor(.rows(3))

    let run = try door.runShell("\(source) | $SSH $TARGET upload-photo")

    expect(run.output, "")
    // ssh may add a line of its own where it had more to send.
    let sentences = run.errors.split(separator: "\n").filter { $0.hasPrefix("market: ") }
    expect(sentences.count, 1, "\(run.errors)")
    #expect(try door.run("upload-photo", input: "x").errors.contains("not a JPEG"))
  }

  @Test func `a tray or a folder that leads elsewhere is not written to`() async throws {
    let door = try await GuestDoor(.rows(3))
    let put = "$SSH $TARGET upload-photo < \(Self.fixtures)/baseline.jpg"
    let state = door.program.path(of: "guests")
    try expect(door.runShell(put).exit, .exited(status: 0))

    let run = try door.runShell(
      """
      cd \(state)/guests/*/ && mkdir ../../elsewhere && rm -r tray && ln -s ../../elsewhere tray
      \(put); ls ../../elsewhere
      """)

    #expect(run.errors.hasPrefix("market: "))
    expect(run.output, "")
  }

  @Test(arguments: [(1, 1), (2, 500), (500, 200)])
  func `a terminal of any size shows what fits`(columns: Int, rows: Int) async throws {
    let session = try await GuestDoor(.rows(3)).open(
      size: TerminalSize(columns: columns, rows: rows))

    try session.wait(for: "something drawn") { _ in !session.output.isEmpty }
    try session.resizeAndWait(to: TerminalSize(columns: 80, rows: 24))
    session.type("q")

    try expect(session.waitForExit(), .exited(status: 0))
  }

  @Test func `a line that falls silent ends, and its place is free again`() async throws {
    let door = try await GuestDoor(
      .rows(3), options: "--max-guests 1", settings: "ClientAliveInterval 1\nClientAliveCountMax 1")
    let session = try door.open()
    try session.wait(forText: "Ware 001")
    #expect(
      try door.run("list", as: "two").errors.contains("The maximum number of guests is connected"))

    session.terminal.signal(SIGSTOP)

    let second = try door.runShell(
      "for try in $(seq 200); do $SSH $TARGET list 2>&1 && exit 0; read -rt 0.1 <> <(:); done; exit 1"
    )
    expect(second.exit, .exited(status: 0))
    session.terminal.signal(SIGKILL)
  }

  @Test func `fifty guests are there at once, with 40 MB each at most`() async throws {
    let keys = (1...25).map { "key-\($0)" }
    let door = try await GuestDoor(.rows(45), keys: keys)

    let sessions = try (keys + keys).map { key in
      let session = try door.open(as: key)
      try session.wait(forText: "Ware 001")
      return session
    }

    #expect(
      try door.run("list", as: "key-1").errors.contains("The maximum number of guests is connected")
    )
    // What other processes hold cannot be seen by everybody.
    if geteuid() == 0 {
      let memory = try Self.memory(below: door.program.path(of: "guests"))
      expect(memory.count, 50)
      #expect(memory.reduce(0, +) / 50 <= 40 << 10, "\(memory) KB")
    }
    for session in sessions { session.terminal.signal(SIGKILL) }
  }

  @Test func `a server is told the guest's own address`() async throws {
    let server = try await TrialServer(.rows(3))
    let port = server.portNumber
    let relay = try ScriptedServer { request, _ in
      [.sendBytes(UpstreamRequest(request).answer(from: port)), .close]
    }
    let door = try await GuestDoor(.rows(3), of: relay.base)

    let run = try door.run("list --limit 1", options: ["-b", "127.0.0.9"])

    #expect(run.output.contains("Ware 001"), "\(run.errors)")
    expect(Set(relay.requests.map { $0.headers["x-forwarded-for"] }), ["127.0.0.9"])
  }

  private static let otherKey = "SHA256:RbtaAhsXYOrq45friH64i+qn3F6uift9g0cZ6fYGTYI"

  /// Kilobytes of each guest's process, what they share counted once (smaps_rollup in proc(5)).
  private static func memory(below state: String) throws -> [Int] {
    let run = try PipedRun(
      [
        "bash", "-c",
        """
        for p in /proc/[0-9]*; do
          tr '\\0' ' ' < $p/cmdline 2>/dev/null | grep -q '^[^ ]*/market guest .*\(state)' &&
            sed -n 's/^Pss: *\\([0-9]*\\) kB/\\1/p' $p/smaps_rollup
        done; true
        """,
      ], environment: ["PATH": "/usr/bin:/bin"])
    return run.output.split(separator: "\n").compactMap { Int($0) }
  }

  private static let fixtures =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Fixtures/Pictures"
}

import Expectations
import Glibc
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// The sshd of the system on loopback, which lets any key in as a guest of a market file.
///
/// It runs as the user of the tests. In the place of `market guest-key`, which would have to belong to
/// root, a command of root's gives the same line.
final class GuestDoor {
  private static let line =
    #"/bin/echo restrict,pty,environment=\"MARKET_KEY=%f\" %t %k"#
  private static let lineWithoutKey = "/bin/echo restrict,pty %t %k"

  let program: MarketProgram
  private let port: ReservedPort
  private let daemon: ChildProcess

  /// Starts it for a program's trial market.
  ///
  /// - Parameters:
  ///   - market: the products of the trial market.
  ///   - server: address of the server that has the market; nil is a market file.
  ///   - keys: names of the keys that there are to come with.
  ///   - namesKey: whether the key is told, as it is at `market@`.
  ///   - options: further words for the program.
  ///   - settings: further lines for sshd.
  /// - Throws: where it does not start.
  init(
    _ market: GeneratedMarket = .rows(45), of server: String? = nil,
    keys: [String] = ["one", "two"], naming namesKey: Bool = true, options: String = "",
    settings: String = ""
  ) async throws {
    program = try await MarketProgram(market)
    port = try ReservedPort()
    for key in ["host"] + keys {
      let words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", program.path(of: key)]
      try expect(PipedRun(words, environment: Self.variables).exit, .exited(status: 0))
    }
    let market = MarketProgram.path
    let place = server.map { "--server \($0)" } ?? "--store \(program.path(of: "trial.market"))"
    let guest = "\(market) guest \(place) --state \(program.path(of: "guests"))"
    try program.addFile(
      "sshd_config",
      """
      Port \(port.number)
      ListenAddress 127.0.0.1
      HostKey \(program.path(of: "host"))
      PidFile none
      UsePAM no
      StrictModes no
      PermitRootLogin yes
      AuthenticationMethods publickey
      AuthorizedKeysFile none
      AuthorizedKeysCommand \(namesKey ? Self.line : Self.lineWithoutKey)
      AuthorizedKeysCommandUser \(Self.user)
      PermitUserEnvironment MARKET_*
      AcceptEnv LANG LC_ALL COLORTERM
      SetEnv HOME=/nonexistent
      DisableForwarding yes
      MaxStartups 100
      PerSourceMaxStartups 100
      ForceCommand exec \(guest) \(options)
      \(settings)

      """)
    // What the package's own service makes for a daemon of root's.
    let start = """
      [ $(id -u) -ne 0 ] || [ -d /run/sshd ] || mkdir -m 755 /run/sshd
      exec /usr/sbin/sshd -D -e -f \(program.path(of: "sshd_config")) 2>&1
      """
    daemon = try ChildProcess("/bin/sh", arguments: ["-c", start])
    let answer = try #require(try daemon.readLine())
    try #require(answer.contains("Server listening"), "\(answer)")
  }

  deinit { daemon.kill() }

  /// Asks for the full screen in a terminal.
  func open(
    as key: String = "one", size: TerminalSize = .standard, environment: [String: String] = [:]
  ) throws -> TerminalSession {
    try TerminalSession(
      client(as: key, ["-tt"]) + [target], environment: Self.variables.merging(environment) { $1 },
      size: size, holding: self)
  }

  /// Runs a command without a terminal.
  func run(
    _ command: String, as key: String = "one", input: String = "",
    environment: [String: String] = [:], options: [String] = []
  ) throws -> PipedRun {
    try PipedRun(
      client(as: key, options) + [target, command],
      environment: Self.variables.merging(environment) { $1 }, input: input)
  }

  /// Runs a line of bash, in which `$SSH` is the client, `$TARGET` where it goes and `$PORT` the daemon's.
  func runShell(_ script: String) throws -> PipedRun {
    var variables = Self.variables
    variables["SSH"] = client(as: "one", []).joined(separator: " ")
    variables["TARGET"] = target
    variables["PORT"] = "\(port.number)"
    return try PipedRun(["bash", "-c", script], environment: variables)
  }

  private var target: String { Self.user + "@127.0.0.1" }

  private func client(as key: String, _ options: [String]) -> [String] {
    ["ssh", "-p", "\(port.number)"] + identity(as: key) + options
  }

  private func identity(as key: String) -> [String] {
    [
      "-F", "/dev/null", "-i", program.path(of: key), "-o", "IdentitiesOnly=yes", "-o",
      "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
      "-o", "SendEnv=LC_ALL",
    ]
  }

  private static let variables = [
    "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color", "HOME": "/nonexistent",
  ]

  private static let user: String = {
    guard let entry = getpwuid(getuid()) else { return "root" }
    return String(cString: entry.pointee.pw_name)
  }()
}

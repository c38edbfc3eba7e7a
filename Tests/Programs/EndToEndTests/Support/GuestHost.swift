import Glibc
import HTTPTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// Host of guests as SSH.md sets it up: root's sshd with the configuration of the package, the two accounts,
/// and no more rights than the unit gives.
///
/// It lives in a mount namespace of its own, in which the accounts and their folders are made: those of this
/// computer stay as they are.
final class GuestHost {
  /// Whether this is root, who may make namespaces, and whether other accounts can run what was built.
  static let isPossible: Bool = {
    let probe = """
      mount -t tmpfs none /mnt && setpriv --reuid=7001 --regid=7001 --clear-groups \
        \(MarketProgram.path) --version
      """
    let run = try? PipedRun(["unshare", "-m", "bash", "-c", probe], environment: variables)
    return geteuid() == 0 && run?.exit == .exited(status: 0)
  }()

  private let folder: TemporaryFolder
  private let port: ReservedPort
  private let daemon: ChildProcess

  init(_ market: GeneratedMarket = .rows(3)) async throws {
    let folder = try TemporaryFolder()
    port = try ReservedPort()
    try await market.write(to: folder.path(of: "trial.market"))
    try FileContent(bytes: Array(Self.setUp.utf8)).write(to: folder.path(of: "set-up"))
    daemon = try ChildProcess(
      "/usr/bin/unshare",
      arguments: [
        "-m", "bash", folder.path(of: "set-up"), folder.path, MarketProgram.path,
        "\(port.number)", Self.project,
      ])
    self.folder = consume folder
    while let line = try daemon.readLine() {
      if line.contains("Server listening") { return }
    }
    Issue.record("sshd does not listen")
  }

  deinit { daemon.kill() }

  /// Asks for the full screen in a terminal.
  func open(as account: String) throws -> TerminalSession {
    try TerminalSession(
      client(account, ["-tt"]), environment: Self.variables, size: .standard, holding: self)
  }

  func run(
    _ command: String, as account: String, input: String = "", options: [String] = []
  ) throws -> PipedRun {
    try PipedRun(
      client(account, options) + [command], environment: Self.variables, input: input)
  }

  private func client(_ account: String, _ options: [String]) -> [String] {
    [
      "ssh", "-p", "\(port.number)", "-F", "/dev/null", "-i", folder.path(of: "key"), "-o",
      "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
      "-o", "BatchMode=yes",
    ] + options + [account + "@127.0.0.1"]
  }

  private static let variables = [
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color",
    "HOME": "/nonexistent",
  ]

  private static let project =
    "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")

  /// What SSH.md tells an operator, with the paths of this computer.
  ///
  /// CAP_AUDIT_WRITE stands for the unit's RestrictAddressFamilies, by which sshd finds no audit to write
  /// to.
  private static let setUp = """
    set -e
    exec 2>&1
    folder=$1 program=$2 port=$3 project=$4 state=/mnt/guests
    ssh-keygen -q -t ed25519 -N '' -f "$folder/key"
    mount -t tmpfs -o mode=755 none /mnt
    mount -t devpts -o newinstance,gid=5,mode=620,ptmxmode=666 devpts /dev/pts
    mount --bind /dev/pts/ptmx /dev/ptmx
    mkdir -p /run/sshd $state
    { cat /etc/passwd; printf '%s\\n' "market:x:7001:7003::$state:/bin/sh" "look:x:7002:7003::$state:/bin/sh"; } > /mnt/passwd
    { cat /etc/shadow; printf '%s\\n' 'market:*:19000::::::' 'look::19000::::::'; } > /mnt/shadow
    chmod 640 /mnt/shadow
    mount --bind /mnt/passwd /etc/passwd
    mount --bind /mnt/shadow /etc/shadow
    install -d -m 700 -o market $state/market
    install -d -m 700 -o look $state/look
    install -d -m 2770 -o market -g 7003 /mnt/store
    install -m 660 -o market -g 7003 "$folder/trial.market" /mnt/store/
    ssh-keygen -q -t ed25519 -N '' -f $state/ssh_host_ed25519_key
    sed -e "s|^Port .*|Port $port\\nListenAddress 127.0.0.1|" -e '/^AddressFamily/d' \\
      -e "s|/var/lib/openmarket-guests|$state|g" -e "s|/usr/bin/market|$program|g" \\
      -e 's|--server http://127.0.0.1:8080|--store /mnt/store/trial.market|' \\
      -e "s|^Banner /.*|Banner $project/Resources/ssh/banner|" \\
      "$project/Resources/ssh/sshd_config" > /mnt/sshd_config
    rights=$(sed -n 's/^CapabilityBoundingSet=//p' "$project/Resources/systemd/openmarket-guests.service" |
      tr 'A-Z' 'a-z' | sed 's/cap_/+/g; s/ /,/g')
    exec setpriv --bounding-set "-all,$rights,+audit_write" --no-new-privs \\
      /usr/sbin/sshd -D -e -f /mnt/sshd_config

    """
}

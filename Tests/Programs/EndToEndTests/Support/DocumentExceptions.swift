/// Commands of the documents that no test runs as they stand, with the reason.
enum DocumentExceptions {
  /// Programs whose commands are looked at.
  static let programs: Set = [
    "market", "market-server", "make", "sudo", "curl", "ssh", "sshd", "tar", "systemctl",
    "systemd-analyze", "readelf", "createdb", "createuser", "usermod", "passwd",
    "install", "cp", "pass", "pipx",
  ]

  static var commands: Set<String> { Set(list.flatMap(\.commands)) }

  /// Returns why a command is not run; nil for one that has to be.
  static func reason(for command: String) -> String? {
    list.first { $0.commands.contains(command) }?.reason
  }

  private static let list: [(reason: String, commands: [String])] = [
    (
      "needs root and packages of a release; .ci/packaging/check does it on bare systems",
      [
        "sudo apt install ./openmarket_*_amd64.deb",
        "tar -xf openmarket-*-linux-amd64.tar.xz && openmarket-*/bin/market",
        "pipx run --spec ./openmarket_terminal-*.whl market",
        "pipx install ./openmarket_terminal-*.whl && market install-desktop",
        "sudo apt remove openmarket", "pipx uninstall openmarket-terminal",
        "sudo apt install ./openmarket-server_*_amd64.deb",
        "sudo apt install openssh-server ./openmarket_*_amd64.deb ./openmarket-server_*_amd64.deb",
        "sudo passwd -d look && sudo usermod -p '*' market",
        "sudo systemctl enable --now openmarket-guests",
        "systemctl restart openmarket-server", "systemctl edit openmarket-server",
        "systemd-analyze security openmarket-server", "sudo -u postgres",
        "sudo -u postgres createuser openmarket",
        "sudo -u postgres createdb --owner openmarket market",
        "sudo -u openmarket market-server admin seller block 6 --store /var/lib/openmarket/market.sqlite",
      ]
    ),
    (
      "changes accounts and units of the system; GuestHostTests sets up the same in namespaces",
      [
        "install -D -m 755 guest-shell /usr/lib/openmarket/guest-shell",
        "install -D -m 644 sshd_config -t /etc/openmarket # set the port, the market and the paths of program and banner",
        "passwd -d look && usermod -p '*' market",
        "cp openmarket-guests.service /etc/systemd/system/",
        "systemctl enable --now openmarket-guests", "sshd -t -f /etc/openmarket/sshd_config",
      ]
    ),
    (
      "needs an sshd of guests; GuestTests and GuestHostTests start one",
      [
        "ssh market@market.example", "ssh look@market.example", "ssh market@…",
        "ssh -p 2222 …",
        "ssh market@market.example 'list --search \"mountain bike\" --json'",
        "ssh market@market.example upload-photo < bike.jpg", "ssh -p 2222 look@localhost list",
        "ssh -p 2222 market@localhost",
      ]
    ),
    (
      "market.example stands for the reader's server; LinkTests and EncryptedServerTests have one",
      [
        "market --server https://market.example",
        "market open https://market.example/products/12", "curl https://market.example",
        "SSL_CERT_FILE=authority.pem market --server https://market.example",
      ]
    ),
    (
      "needs several hosts of a database; make failover-test and ServerOverDatabaseTests have them",
      [
        "market serve --store 'postgresql://openmarket@a.example,b.example/market?target_session_attrs=read-write'",
        "market serve --store postgresql://openmarket@a.example/market --read-replica postgresql://openmarket@b.example/market",
      ]
    ),
    (
      "a word stands for the reader's own value; tests of the command have values",
      [
        "market open LINK", "market serve --check URL",
        "market import FILE --store postgresql://…", "market import FILE --store postgresql://...",
        "market export FILE", "market export - --store ADDRESS >/dev/null",
        "readelf -p .market.commit", "createdb --encoding UTF8 --template template0",
      ]
    ),
    ("follows a market until it is interrupted; FollowCommandTests do", ["market list --follow"]),
    (
      "is an example of a decision; ScriptSellingTests run the like",
      ["market edit 1 2 3", "pass show bike | market edit 12 --price 90000"]
    ),
  ]
}

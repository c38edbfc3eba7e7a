import Expectations
import Posix
import Testing

@testable import market

struct GuestKeyTests {
  nonisolated private static let type = "ssh-ed25519"
  nonisolated private static let text =
    "AAAAC3NzaC1lZDI1NTE5AAAAILHHC6r/iMC8U1Jihp7B5+ONHTZvMzVuLS4SYcIuDz1x"
  nonisolated private static let fingerprint = "SHA256:RbtaAhsXYOrq45friH64i+qn3F6uift9g0cZ6fYGTYI"

  @Test func `a key that agrees with itself is let in, with a terminal and its fingerprint alone`()
  {
    let key = GuestKey(fingerprint: Self.fingerprint, type: Self.type, text: Self.text)

    expect(
      key?.line,
      "restrict,pty,environment=\"MARKET_KEY=\(Self.fingerprint)\" ssh-ed25519 \(Self.text)")
  }

  @Test(arguments: [
    ("", type, text), (fingerprint, "", text), (fingerprint, type, ""),
    (fingerprint, "ssh-rsa", text), (fingerprint, "ssh-dss", text),
    (fingerprint, "ssh-ed25519-cert-v01@openssh.com", text),
    (fingerprint, type, text + "\nssh-ed25519 AAAA"), (fingerprint, type, text + " command=\"sh\""),
    (fingerprint, type, String(text.dropLast(4))), (fingerprint, type, text + "AAAA"),
    (fingerprint, type, String(repeating: "A", count: 1 << 20)), (fingerprint, "\" " + type, text),
    ("SHA256:" + String(repeating: "A", count: 43), type, text), (fingerprint + "=", type, text),
    (fingerprint + "\",command=\"sh", type, text), ("MD5:00:11", type, text),
    (fingerprint.lowercased(), type, text),
    ("SHA256:" + String(repeating: "é", count: 43), type, text),
  ])
  func `anything else is refused`(fingerprint: String, type: String, text: String) {
    expect(GuestKey(fingerprint: fingerprint, type: type, text: text), nil)
  }

  @Test func `an RSA key of 2,048 bits is let in, and one that can be taken apart is not`() {
    let strong =
      "AAAAB3NzaC1yc2EAAAADAQABAAABAQCWcPFkyZ2uMwC58t9JbUc4jvAEnWQQ+LS6wu52P7"
      + "yo6FCzxdz+XIiJ/GrzzuV1MeUOTUKVc3zgEjaiKYCOK3Ksh6ki44xHEdXx6YvGJlsmZtEA"
      + "hIPdO5Fji8tgfcXpcuhkNJsjVlJOkSlQ10Bx9bBaTE0qj28S6kZYlZ+7LMJ8FvDqB3a/kq"
      + "6Ymn4XWxrV/rK1TOWlALalfg5cLCbTSl/xxx8DFWW3EhBgFUrNBgTrB3PYZnTeLEEVgD+5"
      + "TaBEo/QLHA5qGonB0RvYSawQ2sGXMFNxOe+S+a4w7ZJIqDeVxSrjeNvyOIY+P5CzP0F3jH"
      + "hJMtpqMXvzgHgG7QxGzskf"
    let weak =
      "AAAAB3NzaC1yc2EAAAADAQABAAAAgQCZUMZ0L+II54MtNvNTT1yaA+KFJjerQ2iJ3ZNmF5"
      + "NuXzJotp4iVmy/TsealIsVuytwWQNIVgLA2PCZDdbpfGJAt90N1Tl1CwJjOOsp8kS9lTrP"
      + "XYZDRLCu8jTLCX7DnUnCEmgu+a9x93kYYsvl76uPiyFZQVLTkfxsyAsWR0SCdQ=="

    #expect(
      GuestKey(
        fingerprint: "SHA256:hJK0L24sQkf1SnXye+0P/StUYoM1d3WEoDsMVySOi8I", type: "ssh-rsa",
        text: strong)
        != nil)
    expect(
      GuestKey(
        fingerprint: "SHA256:wussT6fzbqUOUpEkhagzJTdkBYr7HCE54uchAX3Sgs0", type: "ssh-rsa",
        text: weak), nil)
  }

  // MARK: Callers

  private func caller(_ changes: [String: String]) throws(GuestError) -> SSHClientInfo {
    let facts = [
      "SSH_CONNECTION": "192.0.2.7 5000 198.51.100.1 22", "MARKET_KEY": Self.fingerprint,
    ].merging(changes) { $1 }
    return try SSHClientInfo { name in facts[name].flatMap { $0.isEmpty ? nil : $0 } }
  }

  @Test func `sshd says who calls, from where, and what for`() throws {
    let caller = try caller(["SSH_ORIGINAL_COMMAND": "list"])

    expect(caller.key?.text, Self.fingerprint)
    #expect(caller.address == "192.0.2.7" && caller.host == "198.51.100.1")
    expect(caller.command, "list")
  }

  @Test func `the way back names the port where it is not that of ssh`() throws {
    let elsewhere = try caller(["SSH_CONNECTION": "192.0.2.7 5000 198.51.100.1 2222"])

    try expect(caller([:]).sshArguments, "market@198.51.100.1")
    expect(elsewhere.sshArguments, "-p 2222 market@198.51.100.1")
  }

  @Test func `a link-local address is one without its zone`() throws {
    try expect(caller(["SSH_CONNECTION": "fe80::1%eth0 5000 ::1 22"]).address, "fe80::1")
  }

  @Test func `who shows no key only looks`() throws {
    try expect(caller(["MARKET_KEY": ""]).key, nil)
  }

  @Test(arguments: [
    ["MARKET_KEY": "SHA256:short"], ["SSH_CONNECTION": ""], ["SSH_CONNECTION": "192.0.2.7"],
    ["SSH_CONNECTION": "localhost 1 192.0.2.7 22"],
    ["SSH_CONNECTION": "192.0.2.7 1 192.0.2.7 ssh"],
    ["SSH_CONNECTION": "192.0.2.7,10.0.0.1 1 192.0.2.7 22"],
    ["SSH_CONNECTION": "1\r\nx: y 1 192.0.2.7 22"],
  ])
  func `what sshd never says is not believed`(changes: [String: String]) {
    #expect(throws: GuestError.notFromDaemon) { try caller(changes) }
  }

  // MARK: Variables

  @Test func `no variables are left but those of terminal, language and sshd`() {
    let set = [
      "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "ko_KR.UTF-8",
      "LC_ALL": "C.UTF-8",
      "MARKET_KEY": "k", "SSH_CONNECTION": "c", "SSH_ORIGINAL_COMMAND": "any; text",
      "HOME": "/root", "PATH": "/bin", "EDITOR": "sh", "TERMINFO": "/tmp",
      "LD_PRELOAD": "/tmp/x.so",
      "http_proxy": "http://192.0.2.1", "SSL_CERT_FILE": "/tmp/x", "LC_TIME": "x",
      "XDG_DATA_HOME": "/",
    ]

    let left = GuestEnvironment.reduced { set[$0] }.map(\.name)

    expect(
      Set(left),
      [
        "TERM", "COLORTERM", "LANG", "LC_ALL", "MARKET_KEY", "SSH_CONNECTION",
        "SSH_ORIGINAL_COMMAND",
      ])
  }

  @Test(arguments: [
    "../../tmp/evil", "/tmp/evil", "..", ".x", "a b", "x\u{1B}[2J", "x\n", "한",
    String(repeating: "x", count: 65),
  ])
  func `a terminal or language that could be a path is left out`(value: String) {
    #expect(GuestEnvironment.reduced { $0 == "TERM" || $0 == "LANG" ? value : nil }.isEmpty)
  }
}

import CommandKit
import Dispatch
import Glibc
import MarketServer
import MarketStrings
import SafeTextKit

/// Readiness check of a running server, for scripts and process managers.
struct HealthCheckRun {
  /// Maximum seconds for the whole check, from name resolution to the last byte.
  private static let timeoutSeconds = 5
  /// Maximum bytes of the response; the rest is not read.
  private static let byteLimit = 65_536

  private let address: String
  private let strings: Strings

  /// Creates a check of the server at `http://HOST:PORT`.
  init(of address: String, _ strings: Strings) {
    self.address = address
    self.strings = strings
  }

  /// Runs the check; exit status 0 if a market answers that it is ready.
  func run() -> Int32 {
    let silent = strings(.checkUnresponsive, SafeText(address)).string
    // Name resolution and slow responses below have no time limit of their own.
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.timeoutSeconds)) {
      Console.say(silent)
      exit(1)
    }
    let authority = String(address.dropFirst("http://".count).prefix { $0 != "/" })
    guard let answer = Self.answer(of: authority, to: HealthRoute.ready) else {
      Console.say(silent)
      return 1
    }
    return exitStatus(answer)
  }

  private func exitStatus(_ answer: String) -> Int32 {
    let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
    let isMarket = answer.lowercased().contains("\r\nmarket-extensions: 1\r\n")
    guard parts.count == 2, isMarket else {
      Console.say(strings(.checkOther, SafeText(address)))
      return 1
    }
    let sentence = parts[1].split(separator: "\n").first.map(String.init) ?? ""
    if answer.hasPrefix("HTTP/1.1 200"), sentence == HealthRoute.isReady {
      Console.say(strings(.checkReady, SafeText(address)))
      return 0
    }
    Console.say(strings(.checkNotReady, SafeText(address), SafeText(sentence)))
    return 1
  }

  /// Response to a GET with its head; nil if there is none.
  private static func answer(of authority: String, to path: String) -> String? {
    guard let connection = connect(to: authority) else { return nil }
    defer { close(connection) }
    let request = Array(
      "GET \(path) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n".utf8)
    guard send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    else { return nil }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while answer.count < byteLimit, case let count = recv(connection, &piece, piece.count, 0),
      count > 0
    {
      answer += piece[..<count]
    }
    return answer.isEmpty ? nil : String(decoding: answer, as: UTF8.self)
  }

  private static func connect(to authority: String) -> Int32? {
    let (host, port) = split(authority)
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, port, &hints, &found) == 0 else { return nil }
    defer { freeaddrinfo(found) }
    var candidate = found
    while let address = candidate?.pointee {
      let connection = socket(address.ai_family, Int32(SOCK_STREAM.rawValue), 0)
      if Glibc.connect(connection, address.ai_addr, address.ai_addrlen) == 0 { return connection }
      close(connection)
      candidate = address.ai_next
    }
    return nil
  }

  /// Host and port of an authority; port 80 by default.
  private static func split(_ authority: String) -> (host: String, port: String) {
    let bare = authority.filter { $0 != "[" && $0 != "]" }
    guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else {
      return (bare, "80")
    }
    let host = authority[..<colon].filter { $0 != "[" && $0 != "]" }
    return (host, String(authority[authority.index(after: colon)...]))
  }
}

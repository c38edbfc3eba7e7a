import Glibc

/// Asks a server whether it is alive, as scripts and process managers do.
enum LiveCheck {
  private static let patienceSeconds = 5

  /// - Parameter address: `http://HOST:PORT`.
  /// - Returns: what the program exits with: 0 where a market answers.
  static func run(_ address: String) -> Int32 {
    let authority = String(address.dropFirst("http://".count).prefix { $0 != "/" })
    guard let answer = answer(of: authority, to: "/healthChecker") else {
      Console.say("nothing answers at \(address)")
      return 1
    }
    guard answer.hasPrefix("HTTP/1.1 200"), answer.hasSuffix("\"OK\"") else {
      Console.say("something answers at \(address), but no market")
      return 1
    }
    Console.say("a market answers at \(address)")
    return 0
  }

  /// The whole answer to a GET; nil where nothing answers.
  private static func answer(of authority: String, to path: String) -> String? {
    guard let connection = connect(to: authority) else { return nil }
    defer { close(connection) }
    let request = Array(
      "GET \(path) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n".utf8)
    guard send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    else { return nil }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while answer.count < 65_536, case let count = recv(connection, &piece, piece.count, 0),
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
      var patience = timeval(tv_sec: patienceSeconds, tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
      setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
      if Glibc.connect(connection, address.ai_addr, address.ai_addrlen) == 0 { return connection }
      close(connection)
      candidate = address.ai_next
    }
    return nil
  }

  /// Host and port; port 80 where there is none.
  private static func split(_ authority: String) -> (host: String, port: String) {
    let bare = authority.filter { $0 != "[" && $0 != "]" }
    guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else {
      return (bare, "80")
    }
    let host = authority[..<colon].filter { $0 != "[" && $0 != "]" }
    return (host, String(authority[authority.index(after: colon)...]))
  }
}

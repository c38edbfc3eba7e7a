internal import CPostgres
import Glibc

extension PostgresConnection {
  /// What connections do unless the address, or libpq's own variable, says otherwise: none waits for
  /// long to be made, and none sends for long into nothing (`tcp_user_timeout`, tcp(7)).
  private static var defaults: [(String, String)] {
    var defaults = [
      ("fallback_application_name", "market-server"), ("keepalives_idle", "30"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "6000"),
    ]
    if getenv("PGCONNECT_TIMEOUT") == nil { defaults.append(("connect_timeout", "3")) }
    return defaults
  }

  /// The parameters of a connection, of which later ones win over earlier ones.
  static func parameters(for address: String) -> [(String, String)] {
    defaults + [("dbname", address), ("client_encoding", "UTF8")]
  }

  /// Connects with named parameters, of which `dbname` may be a whole address.
  static func start(_ parameters: [(String, String)], waiting: Bool = true) -> OpaquePointer? {
    let words = parameters.flatMap { [$0.0, $0.1] }
    return withCStrings(words) { pointers in
      var keys: [UnsafePointer<CChar>?] = []
      var values: [UnsafePointer<CChar>?] = []
      for index in stride(from: 0, to: pointers.count, by: 2) {
        keys.append(pointers[index])
        values.append(pointers[index + 1])
      }
      return waiting
        ? PQconnectdbParams(keys + [nil], values + [nil], 1)
        : PQconnectStartParams(keys + [nil], values + [nil], 1)
    }
  }

  /// What a parameter of this connection is; nil where it is not set.
  func parameter(_ name: String) -> String? {
    guard let all = PQconninfo(pointer) else { return nil }
    defer { PQconninfoFree(all) }
    var option = all
    while let keyword = option.pointee.keyword {
      if String(cString: keyword) == name { return option.pointee.val.map { String(cString: $0) } }
      option += 1
    }
    return nil
  }

  /// Lends values in the protocol's binary format, as libpq takes them.
  static func withParameters<Answer>(
    _ values: [PostgresValue],
    _ body: (
      Int32, [UnsafePointer<CChar>?], [Int32], [Int32]
    ) -> Answer
  ) -> Answer {
    let binaries = values.map(\.binary)
    var bytes: [UInt8] = []
    for binary in binaries { bytes += binary ?? [] }
    // An empty value still needs an address to be no null.
    bytes.append(0)
    return bytes.withUnsafeBytes { buffer in
      var pointers: [UnsafePointer<CChar>?] = []
      var offset = 0
      for binary in binaries {
        let start = buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
        pointers.append(binary == nil ? nil : start)
        offset += binary?.count ?? 0
      }
      return body(
        Int32(values.count), pointers, binaries.map { Int32($0?.count ?? 0) },
        values.map { _ in 1 })
    }
  }

  private static func withCStrings<Answer>(
    _ texts: [String], _ body: ([UnsafePointer<CChar>]) -> Answer
  ) -> Answer {
    var pointers: [UnsafePointer<CChar>] = []
    func lend(_ rest: ArraySlice<String>) -> Answer {
      guard let text = rest.first else { return body(pointers) }
      return text.withCString { pointer in
        pointers.append(pointer)
        return lend(rest.dropFirst())
      }
    }
    return lend(texts[...])
  }
}

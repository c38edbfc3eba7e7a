internal import CPostgres

extension PostgresConnection {
  /// Connects with named parameters, of which `dbname` may be a whole address.
  static func start(_ parameters: [String: String]) -> OpaquePointer? {
    let words = parameters.flatMap { [$0.key, $0.value] }
    return withCStrings(words) { pointers in
      var keys: [UnsafePointer<CChar>?] = []
      var values: [UnsafePointer<CChar>?] = []
      for index in stride(from: 0, to: pointers.count, by: 2) {
        keys.append(pointers[index])
        values.append(pointers[index + 1])
      }
      return PQconnectdbParams(keys + [nil], values + [nil], 1)
    }
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

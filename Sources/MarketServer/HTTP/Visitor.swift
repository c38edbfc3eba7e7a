import MarketAPI

/// Who a request comes from, as far as can be told.
package struct Visitor: Hashable, Sendable {
  /// The network address, as text.
  package var address: String
  /// Whether the way there was encrypted.
  package var isSecure: Bool

  package init(address: String, isSecure: Bool = false) {
    self.address = address
    self.isSecure = isSecure
  }

  /// Takes a trusted proxy's word for who is behind it.
  ///
  /// A proxy adds to the end of what it was sent, so only the last word is its own.
  ///
  /// - Parameters:
  ///   - proxy: the address of the proxy.
  ///   - headers: `X-Forwarded-For` and `X-Forwarded-Proto`; what is missing is as without proxy.
  init(behind proxy: String, headers: HTTPHeaders) {
    address = Self.lastWord(of: "X-Forwarded-For", in: headers) ?? proxy
    isSecure = Self.lastWord(of: "X-Forwarded-Proto", in: headers)?.lowercased() == "https"
  }

  private static func lastWord(of name: String, in headers: HTTPHeaders) -> String? {
    guard let word = headers.values(of: name).last?.split(separator: ",").last else { return nil }
    let bytes = word.utf8.filter { $0 > 0x20 && $0 < 0x7F }
    return bytes.isEmpty || bytes.count > 64 ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

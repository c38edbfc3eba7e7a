import MarketAPI

extension FinishedRequest {
  private static let targetLimit = 512
  private static let reasonLimit = 256

  /// Appends `192.0.2.1 GET /api/products?page_no=1 200 6420 183us`: who, what, how it ended, the
  /// bytes of the answer, and how long it took; then why, where the server is to blame.
  func appendLine(to bytes: inout [UInt8]) {
    append(visitor.address, to: &bytes)
    bytes.append(0x20)
    append(method.rawValue, to: &bytes)
    bytes.append(0x20)
    append(shownTarget, to: &bytes)
    let status = status.map { String($0.rawValue) } ?? "-"
    bytes.append(contentsOf: " \(status) \(byteCount) \(nanoseconds / 1_000)us".utf8)
    if let reason {
      bytes.append(contentsOf: ": ".utf8)
      let words = reason.prefix(Self.reasonLimit).split(separator: " ")
      for (place, word) in words.enumerated() {
        if place > 0 { bytes.append(0x20) }
        append(word, to: &bytes)
      }
    }
    bytes.append(0x0A)
  }

  /// The target without the key that deletes a product: it is a credential for ten minutes.
  private var shownTarget: Substring {
    let target = target.prefix(Self.targetLimit)
    guard method == .delete, let slash = target.lastIndex(of: "/") else { return target }
    let last = target[target.index(after: slash)...]
    return last.allSatisfy(\.isNumber) && last.count < 20 ? target : target[...slash] + "*"
  }

  /// Whatever a client sends stays one word of one line.
  private func append(_ text: some StringProtocol, to bytes: inout [UInt8]) {
    for byte in text.utf8 { bytes.append(byte > 0x20 && byte < 0x7F ? byte : 0x3F) }
  }
}

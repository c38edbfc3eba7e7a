import MarketAPI

extension FinishedRequest {
  private static let targetLimit = 512
  private static let reasonLimit = 256

  /// Appends `192.0.2.1 GET /api/products?page_no=1 200 6420 183us`: who, what, how it ended, the
  /// bytes of the answer, and how long it took; then why, where the server is to blame.
  func appendLine(to bytes: inout [UInt8]) {
    append(visitor.address.utf8, to: &bytes)
    bytes.append(0x20)
    append(method.rawValue.utf8, to: &bytes)
    bytes.append(0x20)
    append(shownTarget.utf8.prefix(Self.targetLimit), to: &bytes)
    let status = status.map { String($0.rawValue) } ?? "-"
    bytes.append(contentsOf: " \(status) \(byteCount) \(nanoseconds / 1_000)us".utf8)
    if let reason {
      bytes.append(contentsOf: ": ".utf8)
      let words = reason.prefix(Self.reasonLimit).split(separator: " ")
      for (place, word) in words.enumerated() {
        if place > 0 { bytes.append(0x20) }
        append(word.utf8, to: &bytes)
      }
    }
    bytes.append(0x0A)
  }

  /// The target without the word that deletes a product: a key, or the seller's own password.
  ///
  /// Whatever the method, the spelling of the path and what follows, for a client may err in each.
  var shownTarget: String {
    // Lists and details are nearly all requests.
    guard target.utf8.count(where: { $0 == 0x2F }) >= 3, !isDetail else { return target }
    let path = target.prefix { $0 != "?" && $0 != "#" }
    let words = path.split(separator: "/").map { PercentCoding.decode($0) }
    guard words.count >= 3, words[0].lowercased() == "api", words[1].lowercased() == "products"
    else { return target }
    let isNumber =
      words[2].utf8.allSatisfy { (0x30...0x39).contains($0) } && words[2].utf8.count < 20
    if words.count == 3 { return isNumber ? target : "/api/products/*" }
    let isStep = words.count == 4 && method != .delete && ["secret", "archived"].contains(words[3])
    return isStep ? target : "/api/products/" + (isNumber ? words[2] : "*") + "/*"
  }

  /// Whether the target is `/api/products/` and a number.
  private var isDetail: Bool {
    let path = "/api/products/".utf8
    let number = target.utf8.dropFirst(path.count)
    return target.utf8.starts(with: path) && number.count < 20
      && number.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Whatever a client sends stays one word of one line.
  private func append(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    for byte in text { bytes.append(byte > 0x20 && byte < 0x7F ? byte : 0x3F) }
  }
}

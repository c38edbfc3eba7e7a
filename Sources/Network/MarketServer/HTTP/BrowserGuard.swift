import Glibc
import MarketAPI
import MarketModel

/// Responder that refuses what browsers send for pages of others; passes other requests to `next`.
///
/// A page can make its visitor's browser send requests to any server that the browser reaches. The
/// `Origin` of such a write tells whose page it is. A page whose name is made to resolve to a private
/// address (DNS rebinding) is of the same origin as the server for the browser, and is told by its
/// `Host`. The programs of both generations send neither.
package struct BrowserGuard: HTTPResponder {
  /// Names in `Host` by which a server at a private address may be asked.
  package struct HostNames: Sendable {
    private let names: Set<String>

    /// Takes the names of `--allow-host`, beside those of this machine.
    package init(_ names: [String]) {
      var own = [CChar](repeating: 0, count: 256)
      gethostname(&own, own.count - 1)
      let machine = String(
        decoding: own.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      self.names = Set((names + [machine]).map { HostName($0).text }).subtracting([""])
    }

    fileprivate func contains(_ host: HostName) -> Bool {
      host.isAddress || host.text == "localhost"
        || [".localhost", ".local"].contains(where: host.text.hasSuffix)
        || names.contains(host.text)
    }
  }

  /// Host and port of `--public-url`; nil without one.
  private let publicHost: HostName?
  /// Names by which the server may be asked; nil for any.
  private let hosts: HostNames?
  private let next: any HTTPResponder

  /// Creates a guard; `hosts` is nil for a server at a public address.
  package init(publicURL: String?, hosts: HostNames?, before next: any HTTPResponder) {
    publicHost = publicURL.flatMap(HostName.init(ofAddress:))
    self.hosts = hosts
    self.next = next
  }

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    refusal(of: request) ?? next.immediateResponse(to: request)
  }

  package func bodyLimit(for request: ServerRequest) -> Int? {
    refusal(of: request) == nil ? next.bodyLimit(for: request) : nil
  }

  package func refusal(ofLargeBody request: ServerRequest) -> ServerResponse? {
    refusal(of: request) ?? next.refusal(ofLargeBody: request)
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    if let refusal = refusal(of: request) { return refusal }
    return await next.response(to: request)
  }

  private func refusal(of request: ServerRequest) -> ServerResponse? {
    let host = request.headers["Host"].flatMap { $0.isEmpty ? nil : HostName($0) }
    if let hosts, let host, !hosts.contains(host), host.text != publicHost?.text {
      return .refusal(
        .misdirectedRequest,
        "Host: this market is not asked by that name; its operator allows one by --allow-host NAME")
    }
    guard !request.isReading else { return nil }
    let origins = request.headers.values(of: "Origin")
    let isForeign = origins.contains { text in
      guard let origin = HostName(ofAddress: text) else { return true }
      return origin != host && origin != publicHost
    }
    let isCrossSite = request.headers.values(of: "Sec-Fetch-Site").contains {
      $0.lowercased().contains("cross-site")
    }
    guard isForeign || isCrossSite else { return nil }
    return .refusal(
      .forbidden,
      "Origin: a page of another site does not change this market; --public-url names its own")
  }
}

/// Host and port as browsers write them, the default ports of http and https being none.
private struct HostName: Hashable {
  /// In small letters, without brackets and a last dot.
  let text: String
  private let port: Substring?

  /// Reads `name`, `name:80`, `[::1]:8080`.
  init(_ text: String) {
    let lower = text.lowercased()
    let end =
      lower.hasPrefix("[") ? lower.firstIndex(of: "]") ?? lower.startIndex : lower.startIndex
    let colon = lower[end...].firstIndex(of: ":")
    var host = lower[..<(colon ?? lower.endIndex)].filter { $0 != "[" && $0 != "]" }
    if host.hasSuffix(".") { host.removeLast() }
    self.text = host
    let digits = colon.map { lower[lower.index(after: $0)...] }
    port = ["", "80", "443"].contains(digits ?? "") ? nil : digits
  }

  /// Reads the host and port of `scheme://host:port`; nil for `null` and what has no host.
  init?(ofAddress address: String) {
    guard let scheme = address.firstRange(of: "://") else { return nil }
    let authority = address[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard HostField.isHost(authority) else { return nil }
    self.init(String(authority))
  }

  /// Whether it is an IP address and no name.
  var isAddress: Bool { NetworkZone(digits: text) != nil }
}

internal import MarketAPI
internal import TextCoding

/// File used by all pages.
///
/// Its address contains a hash of its content, so it may be cached forever.
package enum PageAsset: CaseIterable, Hashable, Sendable {
  case style
  case icon
  case uploadScript

  package var path: String {
    switch self {
    case .style: "/style.css"
    case .icon: "/icon.svg"
    case .uploadScript: "/upload.js"
    }
  }

  package var mediaType: String {
    switch self {
    case .style: "text/css; charset=utf-8"
    case .icon: "image/svg+xml"
    case .uploadScript: "text/javascript; charset=utf-8"
    }
  }

  package var bytes: [UInt8] { ResourceFile.bytes("pages" + path) }

  /// Hash of the content, the query of its address.
  package var hash: String { Self.hashes[self] ?? "" }

  private static let hashes = Dictionary(
    uniqueKeysWithValues: allCases.map { asset in
      var digest = ContentDigest()
      digest.add(asset.bytes)
      return (asset, String(digest.value, radix: 36))
    })
}

internal import MarketAPI
internal import TextCoding

/// File that belongs to all pages: one look and one picture for tabs.
///
/// Its address carries a mark of its content, so that it may be kept for ever.
package enum PageAsset: CaseIterable, Hashable, Sendable {
  case style
  case icon

  package var path: String {
    switch self {
    case .style: "/style.css"
    case .icon: "/icon.svg"
    }
  }

  package var mediaType: String {
    switch self {
    case .style: "text/css; charset=utf-8"
    case .icon: "image/svg+xml"
    }
  }

  package var bytes: [UInt8] { ResourceFile.bytes("pages" + path) }

  /// What stands behind the path in addresses.
  package var mark: String {
    switch self {
    case .style: Self.styleMark
    case .icon: Self.iconMark
    }
  }

  private static let styleMark = mark(of: .style)
  private static let iconMark = mark(of: .icon)

  private static func mark(of asset: PageAsset) -> String {
    var digest = ContentDigest()
    digest.add(asset.bytes)
    return String(digest.value, radix: 36)
  }
}

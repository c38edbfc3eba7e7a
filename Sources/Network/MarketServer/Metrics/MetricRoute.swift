/// Route of a request, the label under which metrics count it.
///
/// The set is fixed: clients choose paths, but must not choose the number of labels.
enum MetricRoute {
  /// Labels of all routes; `*` stands for one segment.
  static let patterns = [
    "/", "/feed.atom", "/products/*", "/sellers/*",
    "/api/products", "/api/products/*", "/api/products/*/secret", "/api/products/*/archived",
    "/api/products/*/questions", "/api/products/*/*", "/api/questions", "/api/questions/*",
    "/api/questions/*/answer", "/api/questions/*/deletion", "/api/reports", "/api/sellers/me",
    "/api/changes",
    "/healthChecker",
    "/items/*", "/item", "/item/*",
    "/pictures/*", "/pictures/*/thumbnail",
    "/style.css", "/icon.svg", "/robots.txt", "/sitemap.xml",
    "/live", "/ready", "/metrics",
  ]
  static let other = "other"
  static var count: Int { patterns.count + 1 }

  /// Label at a position; "other" for all positions beyond the patterns.
  static func label(at position: Int) -> String {
    patterns.indices.contains(position) ? patterns[position] : other
  }

  /// Lowercase segments of each pattern; nil matches any.
  private static let words = patterns.map { pattern in
    pattern.split(separator: "/").map { $0 == "*" ? nil : Array($0.lowercased().utf8) }
  }

  /// Position of the first pattern that matches the path of a target; `patterns.count` if none does.
  static func index(of target: String) -> Int {
    var target = target
    return target.withUTF8 { bytes in
      guard bytes.first == slash else { return patterns.count }
      let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      return words.firstIndex { has(path, $0) } ?? patterns.count
    }
  }

  private static let slash = UInt8(ascii: "/")

  private static func has(_ path: Slice<UnsafeBufferPointer<UInt8>>, _ words: [[UInt8]?]) -> Bool {
    var rest = path.drop { $0 == slash }
    for word in words {
      let segment = rest.prefix { $0 != slash }
      guard !segment.isEmpty else { return false }
      if let word, !segment.elementsEqual(word, by: { small($0) == $1 }) { return false }
      rest = rest[segment.endIndex...].drop { $0 == slash }
    }
    return rest.isEmpty
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}

internal import CResources

/// File of `Resources/` that `Modules/CResources` embeds in the programs.
package enum ResourceFile {
  /// Returns the content of an embedded file by its path below `Resources/`; traps where it is
  /// missing.
  package static func bytes(_ path: String) -> [UInt8] {
    guard let bytes = find(path) else { preconditionFailure("\(path) is not embedded") }
    return bytes
  }

  /// Returns numbered text files, such as `store-101.sql`, from `first` to the first that is missing.
  package static func texts(_ start: String, _ ending: String, from first: Int) -> [String] {
    var texts: [String] = []
    while let bytes = find("\(start)-\(first + texts.count)\(ending)") {
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    return texts
  }

  private static func find(_ path: String) -> [UInt8]? {
    var count = 0
    guard let start = resource_bytes(path, &count) else { return nil }
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}

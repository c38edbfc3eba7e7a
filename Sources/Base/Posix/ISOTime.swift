import Glibc

/// Format of instants in logs (ISO 8601, UTC).
package enum ISOTime {
  /// Returns an instant, in seconds since 1970, as `2026-01-31T23:59:59Z`.
  package static func text(of seconds: Int64) -> String {
    var (instant, parts) = (time_t(seconds), tm())
    gmtime_r(&instant, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let count = strftime(buffer.baseAddress, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
      let text = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[..<count]))
      return String(decoding: text, as: UTF8.self)
    }
  }
}

/// What one answer may cost in bytes and time.
package struct TransferLimits: Hashable, Sendable {
  /// Bytes of the body after it was decompressed.
  package var bodyBytes: Int
  /// Time to look the name up, connect and agree on encryption.
  package var connect: Duration
  /// Time without a single byte in either direction; counted in whole seconds.
  package var idle: Duration
  /// Time for everything together.
  package var total: Duration

  package init(bodyBytes: Int, connect: Duration, idle: Duration, total: Duration) {
    self.bodyBytes = bodyBytes
    self.connect = connect
    self.idle = idle
    self.total = total
  }

  /// For pages, details and everything else that is JSON.
  package static let json = TransferLimits(
    bodyBytes: 8 << 20, connect: .seconds(10), idle: .seconds(15), total: .seconds(30))

  package static let picture = TransferLimits(
    bodyBytes: 20 << 20, connect: .seconds(10), idle: .seconds(15), total: .seconds(60))

  /// For writes with pictures in them, which a slow line takes long to send.
  package static let upload = TransferLimits(
    bodyBytes: 8 << 20, connect: .seconds(10), idle: .seconds(30), total: .seconds(300))
}

/// Commands to send before the next frame; of each kind the last one counts.
struct PendingActions {
  var modes: [UInt8] = []
  var pictures: [UInt8] = []
  var clipboard: [UInt8] = []
  var mouse: [UInt8] = []
  var notification: [UInt8] = []

  var isEmpty: Bool {
    modes.isEmpty && pictures.isEmpty && clipboard.isEmpty && mouse.isEmpty && notification.isEmpty
  }

  mutating func drain() -> [UInt8] {
    defer { self = PendingActions() }
    return modes + pictures + clipboard + mouse + notification
  }
}

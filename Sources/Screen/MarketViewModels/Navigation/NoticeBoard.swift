/// What happened last in a market; it stays until the next key.
package final class NoticeBoard {
  @Observed package private(set) var notice: Notice?

  func show(_ notice: Notice) { self.notice = notice }

  /// Takes back what was said, where that is still shown.
  func withdraw(_ notice: Notice) { if self.notice == notice { self.notice = nil } }

  /// Takes back whatever was said.
  func clear() { if notice != nil { notice = nil } }
}

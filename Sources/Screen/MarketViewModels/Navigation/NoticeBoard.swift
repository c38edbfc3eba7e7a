/// The current notice of one market; cleared by the next key.
package final class NoticeBoard {
  @Observed package private(set) var notice: Notice?

  func show(_ notice: Notice) { self.notice = notice }

  /// Clears a notice if it is the one that is shown.
  func withdraw(_ notice: Notice) { if self.notice == notice { self.notice = nil } }

  /// Clears the notice.
  func clear() { if notice != nil { notice = nil } }
}

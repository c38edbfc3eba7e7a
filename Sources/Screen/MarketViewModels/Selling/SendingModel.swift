internal import MarketModel

/// Dialog while something is on its way to the market, with how much of it has gone.
package final class SendingModel: Dialog {
  package let reply = Reply<Never>()
  package let purpose: SellingPurpose
  @Observed package private(set) var upload: UploadProgress?

  init(_ purpose: SellingPurpose) {
    self.purpose = purpose
  }

  func didUpload(_ progress: UploadProgress) { upload = progress }

  /// Waits no longer for the answer.
  package func cancel() { reply.give(nil) }
}

/// Progress of sending a form, in bytes.
package nonisolated struct UploadProgress: Hashable, Sendable {
  package let sent: Int
  package let total: Int

  package init(sent: Int, total: Int) {
    self.sent = sent
    self.total = total
  }
}

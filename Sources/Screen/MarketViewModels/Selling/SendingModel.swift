internal import MarketModel

/// Dialog while a request is sent, with its progress.
package final class SendingModel: Dialog {
  package let reply = Reply<Never>()
  package let purpose: SellingPurpose
  @Observed package private(set) var upload: UploadProgress?

  init(_ purpose: SellingPurpose) {
    self.purpose = purpose
  }

  func didUpload(_ progress: UploadProgress) { upload = progress }

  /// Leaves the dialog and cancels the request.
  package func cancel() { reply.give(nil) }
}

/// Progress of an upload, in bytes.
package nonisolated struct UploadProgress: Hashable, Sendable {
  package let sent: Int
  package let total: Int

  package init(sent: Int, total: Int) {
    self.sent = sent
    self.total = total
  }
}

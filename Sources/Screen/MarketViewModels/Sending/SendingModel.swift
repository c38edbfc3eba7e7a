import Observation

/// What is on its way to the market, and how much of it has gone.
@Observable
package final class SendingModel: Layer {
  package let purpose: SellingIntent.Purpose
  package private(set) var upload: UploadProgress?

  private let didCancel: () -> Void

  init(_ purpose: SellingIntent.Purpose, didCancel: @escaping () -> Void) {
    self.purpose = purpose
    self.didCancel = didCancel
  }

  func didUpload(_ progress: UploadProgress) { upload = progress }

  /// Waits no longer for the answer.
  package func cancel() { didCancel() }
}

/// How much of a form has been sent, in bytes.
package nonisolated struct UploadProgress: Hashable, Sendable {
  package let sent: Int
  package let total: Int

  package init(sent: Int, total: Int) {
    self.sent = sent
    self.total = total
  }
}

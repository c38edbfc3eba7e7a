internal import MarketModel

/// One thing that a seller has set out to do, from the first key to its end.
package struct SellingIntent {
  package enum Purpose: Hashable, Sendable {
    case registration
    case edit
    case deletion
    case undo
    /// Another name for the seller.
    case renaming
  }

  /// Tells this intent from those before; replies to another one are late.
  let number: Int
  package let purpose: Purpose
  /// The product it is about; nil for a registration.
  let product: ListedProduct?
  /// Held until the intent ends, then wiped.
  var password: Password?
  var flow = SubmitFlow()
  let draftID: Draft.ID
  let key: IdempotencyKey
  var wasSent = false
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

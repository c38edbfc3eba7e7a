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
  /// The draft that it goes on with.
  let draft: Draft?
  /// Held until the intent ends, then wiped.
  var password: Password?
  var flow = SubmitFlow()
  /// Under which name what is typed is kept.
  let draftID: Draft.ID
  var key: IdempotencyKey
  var wasSent = false
  /// The files of photos that an edit removes, read before it is sent.
  var removed: [FormPhoto.ID: [UInt8]] = [:]
}

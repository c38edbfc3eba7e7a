package import MarketModel

/// The program around selling: it shows what came of it, and lends its terminal to an editor.
package protocol SellingDelegate: AnyObject {
  func announce(_ notice: Notice)
  func didFinish(_ outcome: SellingOutcome)
  /// Runs the seller's own editor on a text, with the terminal in its hands until it ends.
  func editExternally(_ text: String) async -> EditorOutcome
}

/// What came of an intent.
package nonisolated enum SellingOutcome: Hashable, Sendable {
  case registered(ProductDetail)
  case changed(ProductDetail)
  case deleted(Product.ID)
}

/// What an editor outside brought back.
package nonisolated enum EditorOutcome: Hashable, Sendable {
  case text(String)
  /// It could not be started, or it ended with a failure; the text stays as it was.
  case failed
  /// None is set up.
  case none
}

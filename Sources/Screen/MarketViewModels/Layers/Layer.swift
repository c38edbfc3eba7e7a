/// One screen or dialog on the stack that the window shows: what it knows, without how it looks.
///
/// Its view is a `LayerView`, found through `ViewedLayer`.
@MainActor package protocol Layer: AnyObject {
  /// Asks again for what it shows; the gallery's failures are forgotten before.
  func refresh()
  /// Asks again for what failed.
  func retry()
  /// Learns that it left the stack: cancels what it started and wipes what is secret.
  func didClose()
}

extension Layer {
  package func refresh() {}
  package func retry() { refresh() }
  package func didClose() {}
}

import MarketViewModels
import TestSupport
import Testing

extension LayerStack {
  /// Waits until an answer that was given has led to what follows.
  package func settle() async { await until { !isTurning } }
}

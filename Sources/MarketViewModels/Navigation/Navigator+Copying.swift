/// The product that has the keys, for other programs.
extension Navigator {
  /// Asks for the selected product, or the one that the detail shows, to be copied as text.
  package func copyProduct() {
    if let chosen { didWantCopy(chosen) }
  }
}

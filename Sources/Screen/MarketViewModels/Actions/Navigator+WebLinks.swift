internal import MarketModel
internal import SafeTextKit

extension Navigator {
  /// Shows an address in full and opens it elsewhere if that is wanted; over ssh, where there is no
  /// desktop, it is copied.
  ///
  /// A product of a market that is known opens here.
  package func follow(_ link: WebLink) {
    guard let delegate = program.delegate else { return }
    if let product = ProductAddress(link.address), knows(product) { return follow(product) }
    guard delegate.opensLinks else { return delegate.copy(SafeText(link.address)) }
    stack.begin { flow in
      if await flow.present(ConfirmationModel(.link(link))) == true { delegate.open(link) }
    }
  }
}

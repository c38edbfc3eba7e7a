internal import MarketModel
internal import SafeTextKit

extension Navigator {
  /// Opens an address after a confirmation that shows it in full; over ssh, without a desktop, it is
  /// copied.
  ///
  /// A product link of a known market opens here.
  package func follow(_ link: WebLink) {
    guard let delegate = program.delegate else { return }
    if let product = ProductAddress(link.address), knows(product) { return follow(product) }
    guard delegate.opensLinks else { return delegate.copy(SafeText(link.address)) }
    stack.startFlow { flow in
      if await flow.present(ConfirmationModel(.link(link))) == true { delegate.open(link) }
    }
  }
}

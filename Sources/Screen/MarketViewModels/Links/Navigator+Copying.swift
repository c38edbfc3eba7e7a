internal import MarketModel

/// Form in which a product is passed on.
package nonisolated enum CopiedForm: Hashable, Sendable {
  /// Line of text, with the address if the product has one.
  case text
  /// Address alone.
  case address
  /// Address as a QR code on the screen, in place of the clipboard.
  case code
}

extension Navigator {
  /// `y`, `Y`, `#`: copies the chosen product to the clipboard, or shows its code.
  package func copyProduct(as form: CopiedForm) {
    if let chosen { copy(chosen, as: form, browser.capabilities, isFile: marketAddress == nil) }
  }

  /// Copies a product of any market; the market is sent no request.
  func copy(_ product: ListedProduct, of market: KnownMarket, as form: CopiedForm) {
    let isFile = !market.location.isServer
    guard market.key != self.market, !isFile else {
      let capabilities = isFile ? nil : browser.capabilities
      return copy(product, as: form, capabilities, isFile: isFile)
    }
    Task.immediate {
      let known = await markets?.probe?.knownCapabilities(of: market)
      copy(product, as: form, known, isFile: false)
    }
  }

  private func copy(
    _ product: ListedProduct, as form: CopiedForm, _ capabilities: RepositoryCapabilities?,
    isFile: Bool
  ) {
    let address = capabilities?.publicAddress.flatMap { ProductAddress(product.id, in: $0) }
    switch (form, address) {
    case (.text, _): program.delegate?.copy(product, at: address)
    case (.address, let address?): program.delegate?.copy(address)
    case (.code, let address?) where address.market.origin.isLoopback:
      announce(.hint(.addressIsLoopback))
    case (.code, let address?): stack.push(ProductCodeModel(product, at: address))
    case (.address, nil), (.code, nil):
      let isUnknown = capabilities == nil && !isFile
      announce(.hint(isFile ? .noAddressInFile : isUnknown ? .noAnswerYet : .noAddress))
    }
  }
}

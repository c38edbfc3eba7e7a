internal import MarketModel

extension SellingModel {
  /// `N`: asks for a new seller name and contact.
  package func rename() {
    guard let seller = account.seller else { return }
    startFlow { [self] flow in
      guard await rename(from: seller.name, in: flow) else { return }
      if let seller = account.seller { reportSellerChange(seller.id) }
      announce(.sold(.renaming))
    }
  }

  /// Asks for name and contact and sends both to the market; false if the user cancels.
  private func rename(from name: String, in flow: Flow) async -> Bool {
    let asked = PromptModel(.sellerName, name)
    while let name = await flow.present(asked) {
      let line = PromptModel(.sellerContact, account.seller?.contact?.text ?? "")
      // Leaving the contact leads back to the name.
      while let text = await flow.present(line) {
        guard let contact = SellerChange.Contact(entered: text) else {
          line.outcome = .noContact
          continue
        }
        let change = SellerChange(name: name, contact: contact)
        switch await sent(change, to: .renaming, in: flow) {
        case .success(.some): return true
        case .success(nil): announce(.hint(.accountNotMade))
        case .failure(let error): announce(.notSent(error, keepsForm: false))
        case nil:
          if !flow.isEnded { announce(.hint(.sendingCancelled)) }
          return false
        }
      }
    }
    return false
  }

  /// Sends a change of the seller under a dialog; nil if the user left it.
  func sent(
    _ change: SellerChange, to purpose: SellingPurpose, in flow: Flow
  ) async -> Result<Seller?, RepositoryError>? {
    await flow.work(showing: SendingModel(purpose)) {
      [account] () async throws(RepositoryError) in try await account.change(change)
    }
  }
}

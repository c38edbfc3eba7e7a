internal import MarketModel

extension SellingModel {
  /// `N`: asks for a new seller name and contact.
  package func rename() {
    guard let seller = account.seller else { return }
    startFlow { [self] flow in
      guard await introduce(from: seller.name, to: .renaming, in: flow) else { return }
      if let seller = account.seller { reportSellerChange(seller.id) }
      announce(.sold(.renaming))
    }
  }

  /// Asks for name and contact and sends both to the market; false if the user cancels.
  func introduce(
    from name: String = "", to purpose: SellingPurpose, in flow: Flow
  ) async -> Bool {
    let asked = PromptModel(.sellerName(isChange: purpose == .renaming), name)
    while let name = await flow.present(asked) {
      let line = PromptModel(.sellerContact, account.seller?.contact?.text ?? "")
      // Leaving the contact leads back to the name.
      while let text = await flow.present(line) {
        guard let contact = SellerChange.Contact(entered: text) else {
          line.outcome = .noContact
          continue
        }
        let change = SellerChange(name: name, contact: contact)
        let changed = await flow.work(showing: SendingModel(purpose)) {
          [account] () async throws(RepositoryError) in try await account.change(change)
        }
        switch changed {
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
}

internal import EditorKit
internal import MarketModel

extension SellingModel {
  /// `N`: asks for another name to sell under, and how to be reached.
  package func rename() {
    guard let seller = account.seller else { return }
    begin { [self] flow in
      guard await introduce(from: seller.name, to: .renaming, in: flow) else { return }
      if let seller = account.seller { tellOther(seller.id) }
      announce(.sold(.renaming))
    }
  }

  /// Asks for name and contact, one after the other, and tells the market who sells; false where one
  /// leaves.
  func introduce(
    from name: String = "", to purpose: SellingPurpose, in flow: Flow
  ) async -> Bool {
    var name = SellerLineModel.nameEditor(name)
    while let given = await flow.present(
      SellerLineModel(.name(isChange: purpose == .renaming), name))
    {
      name = given
      var contact = SellerLineModel.contactEditor(account.seller?.contact)
      // The way back leads to the name.
      while let given = await flow.present(SellerLineModel(.contact, contact)) {
        contact = given
        let change = SellerChange(
          name: name.text.trimmed, contact: SellerChange.Contact(entered: contact.text))
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

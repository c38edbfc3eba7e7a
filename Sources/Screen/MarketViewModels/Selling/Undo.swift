internal import MarketModel

extension SellingModel {
  /// Whether there is an edit that can be taken back.
  package var hasEdits: Bool { !edits.isEmpty }

  /// `u`: takes the latest edit back, or the latest change of several products as a whole, which needs
  /// the password unless it is kept.
  package func undo() {
    if let last = edits.lastOfSeveral {
      return change(last.products, by: .restoring(last.texts), undoing: last.run)
    }
    guard let last = edits.last else { return announce(.hint(.nothingToUndo)) }
    guard !last.undoing().isEmpty else { return announce(.hint(.photosGone)) }
    let product = ListedProduct(last.after.product)
    begin { [self] flow in
      let submission = submission(to: .undo, product)
      var refusal: RepositoryError?
      while let password = await passwords.password(to: .undo, product, after: refusal, in: flow) {
        defer { password.wipe() }
        let asked = ConfirmationModel(
          .undo(product, last.undoneChanges, losesPhotos: last.losesPhotos))
        guard await flow.present(asked) == true else { return }
        let message = SellingMessage.change(of: last.after, last.undoing(), password)
        switch await send(message, of: submission, in: flow) {
        case .done, .left: return
        case .failed(let error) where error.refusesPassword: refusal = error
        case .failed(let error): return announce(.notSent(error, keepsForm: false))
        }
      }
    }
  }
}

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
      let question = ConfirmationModel.Subject.undo(
        product, last.undoneChanges, losesPhotos: last.losesPhotos)
      let error = await send(.undo, product, after: question, in: flow) {
        .change(of: last.after, last.undoing(), $0)
      }
      if let error { announce(.notSent(error, keepsForm: false)) }
    }
  }
}

internal import MarketModel

extension SellingModel {
  /// Whether there is an edit that can be taken back, or a question that can be asked again.
  package var hasEdits: Bool { takenBack != nil || !edits.isEmpty }

  /// Whether there is an edit that was taken back and can be made again.
  package var canRedo: Bool { edits.canRedo }

  /// `u`: takes the latest edit back, or the latest change of several products as a whole, which needs
  /// the password unless it is kept.
  package func undo() {
    if let (question, product) = takenBack { return askAgain(question, about: product) }
    if let last = edits.lastOfSeveral {
      return change(last.products, by: .restoring(last.texts), as: .undo(ofRun: last.run))
    }
    guard let last = edits.last else { return announce(.hint(.nothingToUndo)) }
    takeBack(last, as: .undo) { .undo($0, last.undoneChanges, losesPhotos: last.losesPhotos) }
  }

  /// `U`: makes again what was taken back last, by taking that back.
  package func redo() {
    if let undo = edits.lastUndoOfSeveral {
      return change(undo.products, by: .restoring(undo.texts), as: .redo)
    }
    guard let undo = edits.lastUndo else { return announce(.hint(.nothingToRedo)) }
    takeBack(undo, as: .redo) { .redo($0, undo.undoneChanges, losesPhotos: undo.losesPhotos) }
  }

  private func takeBack(
    _ edit: FinishedEdit, as purpose: SellingPurpose,
    asking question: (ListedProduct) -> ConfirmationModel.Subject
  ) {
    let form = edit.undoingForm
    guard !form.patch().isEmpty else { return announce(.hint(.photosGone)) }
    let product = ListedProduct(edit.after.product)
    let question = question(product)
    begin { [self] flow in
      let error = await send(purpose, product, after: question, sending: form, in: flow) {
        .change(of: edit.after, form.patch(), $0)
      }
      if let error { announce(.notSent(error, keepsForm: false)) }
    }
  }
}

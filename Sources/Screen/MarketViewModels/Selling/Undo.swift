internal import MarketModel

extension SellingModel {
  /// Whether an edit can be undone or a deleted question sent again.
  package var hasEdits: Bool { takenBack != nil || !edits.isEmpty }

  /// Whether an undo can be redone.
  package var canRedo: Bool { edits.canRedo }

  /// `u`: undoes the latest edit, or the latest bulk edit as a whole, with the password unless it is
  /// cached.
  package func undo() {
    if let (question, product) = takenBack { return askAgain(question, about: product) }
    if let last = edits.lastOfSeveral {
      return change(last.products, by: .restoring(last.texts), as: .undo(ofRun: last.run))
    }
    guard let last = edits.last else { return announce(.hint(.nothingToUndo)) }
    takeBack(last, as: .undo) { .undo($0, last.undoneChanges, losesPhotos: last.losesPhotos) }
  }

  /// `U`: redoes the last undo.
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
    startFlow { [self] flow in
      let error = await send(purpose, product, after: question, sending: form, in: flow) {
        .change(of: edit.after, form.patch(), $0)
      }
      if let error { announce(.notSent(error, keepsForm: false)) }
    }
  }
}

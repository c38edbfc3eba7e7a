internal import MarketModel

extension SellingModel {
  /// Runs a bulk edit: one password, one confirmation, then a result for each product.
  ///
  /// - Parameters:
  ///   - products: the products; the first one is named when the password is asked for.
  ///   - change: the change of each product.
  ///   - marked: selection from which each finished product is removed; nil for none.
  ///   - course: whether the edit is new, an undo or a redo.
  package func change(
    _ products: [ListedProduct], by change: BulkChange, marked: MarkedProducts? = nil,
    as course: BulkCourse = .new
  ) {
    let purpose = course.purpose(of: change)
    guard let first = products.first else { return }
    startFlow { [self] flow in
      let password = await passwords.password(
        to: purpose, first, count: products.count, in: flow)
      guard let password else { return }
      runs += 1
      let sender = BulkSender(
        selling: self, change: change, course: course, run: runs, marked: marked)
      let model = BulkEditModel(change, of: products, with: password, by: sender)
      flow.open(model)
      model.start()
      while let refused = await flow.next(of: model) {
        let own = await passwords.password(
          to: purpose, refused.first, count: refused.ids.count, usesCached: false, in: flow)
        if let own { model.retry(refused, with: own) }
      }
    }
  }
}

/// Kind of a bulk edit: new, undo or redo.
package nonisolated enum BulkCourse: Hashable, Sendable {
  case new
  case undo(ofRun: Int)
  /// Redo of the last undo.
  case redo

  fileprivate func purpose(of change: BulkChange) -> SellingPurpose {
    switch self {
    case .new: change == .deletion ? .deletion : .edit
    case .undo: .undo
    case .redo: .redo
    }
  }
}

/// Sender of a bulk edit, which applies the result of each product.
struct BulkSender {
  let selling: SellingModel
  let change: BulkChange
  let course: BulkCourse
  /// Number of the bulk edit, for its undo.
  let run: Int
  /// Selection from which each finished product is removed; nil for none.
  let marked: MarkedProducts?

  var loader: FormDataLoader { FormDataLoader(services: selling.services) }
  private var repository: any ProductRepository { selling.services.repository }

  /// Sends an edit, or a deletion if there is no form.
  ///
  /// A conflict whose product already has the changes counts as success: an earlier response was
  /// lost.
  /// - Throws: what `delete` and `update` of the repository throw.
  func send(
    _ id: Product.ID, _ form: ProductForm?, _ password: Password
  ) async throws(RepositoryError) -> SellingOutcome {
    let author = await selling.account.author()
    guard let form, case .edit(let base) = form.purpose else {
      return .deleted(try await repository.delete(id, password: password, by: author).id)
    }
    do throws(RepositoryError) {
      return .changed(
        try await repository.update(
          id, with: form.patch(), password: password, by: author, expecting: base.version))
    } catch {
      guard case .conflict(let current) = error, form.isContained(in: current) else { throw error }
      return .changed(current)
    }
  }

  /// Caches the password, which was correct for a product.
  func didProve(_ product: ListedProduct) { selling.passwordCache.didProve(for: product.id) }

  /// Applies the result of a product; `form` is the one that was sent, nil for none.
  func didFinish(_ outcome: SellingOutcome, _ product: ListedProduct, _ form: ProductForm? = nil) {
    switch outcome {
    case .changed:
      if case .edit(let before)? = form?.purpose, let texts = change.textsBack(to: before.product) {
        didChange(product, texts)
      } else if case .undo(let undone) = course {
        selling.edits.remove(product.id, ofRun: undone)
      }
    case .deleted(let id): selling.edits.removeAll(of: id)
    case .registered, .question: break
    }
    marked?.remove(product.id)
    selling.report(outcome)
  }

  /// Makes the change of a product undoable; `texts` restore its old values.
  private func didChange(_ product: ListedProduct, _ texts: [ProductField: String]) {
    switch course {
    case .new: selling.edits.append(product, texts: texts, ofRun: run)
    case .undo(let undone):
      selling.edits.didUndo(product, ofRun: undone, texts: texts, in: run)
    case .redo: selling.edits.append(product, texts: texts, ofRun: run, isRedo: true)
    }
  }
}

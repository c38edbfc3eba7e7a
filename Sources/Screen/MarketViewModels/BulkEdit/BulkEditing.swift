internal import MarketModel

extension SellingModel {
  /// Changes or deletes several products: one password, then one question, then a result for each.
  ///
  /// - Parameters:
  ///   - products: those that are changed, the first of which names the password.
  ///   - change: what each of them gets.
  ///   - marked: loses each product that needs nothing any more.
  ///   - course: whether it takes another one back.
  package func change(
    _ products: [ListedProduct], by change: BulkChange, marked: MarkedProducts? = nil,
    as course: BulkCourse = .new
  ) {
    let purpose = course.purpose(of: change)
    guard let first = products.first else { return }
    begin { [self] flow in
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

/// Course of a change of several products: whether it takes another one back.
package nonisolated enum BulkCourse: Hashable, Sendable {
  case new
  case undo(ofRun: Int)
  /// Makes again what was taken back last.
  case redo

  fileprivate func purpose(of change: BulkChange) -> SellingPurpose {
    switch self {
    case .new: change == .deletion ? .deletion : .edit
    case .undo: .undo
    case .redo: .redo
    }
  }
}

/// Sender of one change of several products, which tells what came of each.
struct BulkSender {
  let selling: SellingModel
  let change: BulkChange
  let course: BulkCourse
  /// Tells this change from the others that can be taken back.
  let run: Int
  /// Loses what needs nothing any more.
  let marked: MarkedProducts?

  var loader: FormDataLoader { FormDataLoader(services: selling.services) }
  private var repository: any ProductRepository { selling.services.repository }

  /// Sends an edit, or without a form a deletion.
  ///
  /// An answer that got lost on its way is found in the conflict that the next attempt meets.
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

  /// The password of all of them was right for a product, and counts from then on.
  func didProve(_ product: ListedProduct) { selling.passwordCache.didProve(for: product.id) }

  /// A product needs nothing any more; `form` is what was sent of it.
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
    selling.tell(outcome)
  }

  /// A product was changed, and would be what it was before by the texts.
  private func didChange(_ product: ListedProduct, _ texts: [ProductField: String]) {
    switch course {
    case .new: selling.edits.append(product, texts: texts, ofRun: run)
    case .undo(let undone):
      selling.edits.didUndo(product, ofRun: undone, texts: texts, in: run)
    case .redo: selling.edits.append(product, texts: texts, ofRun: run, isRedo: true)
    }
  }
}

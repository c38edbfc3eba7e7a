internal import MarketModel

/// How a form or a prompt opens.
extension SellingModel {
  /// `n`: offers the drafts there are, else opens an empty form.
  package func beginRegistration() {
    guard !isActive, !isOpening, let intent = begin(.registration) else { return }
    waitForForm {
      let drafts = await self.services.drafts.drafts().filter { $0.target == .registration }
      guard self.isCurrent(intent.number) else { return }
      if drafts.isEmpty { return await self.openRegistration(intent, draft: nil) }
      self.show(.drafts(DraftList(drafts)))
    }
  }

  /// Runs what a form waits for, which may take as long as the market likes.
  func waitForForm(_ body: @escaping () async -> Void) {
    isOpening = !isActive
    sending = Task.immediate { await body() }
  }

  /// `Esc`: waits no longer for a form.
  package func cancelOpening() {
    if isOpening { end() }
  }

  func openRegistration(_ intent: SellingIntent, draft: Draft?) async {
    do throws(RepositoryError) {
      let capabilities = try await services.repository.capabilities()
      guard isCurrent(intent.number) else { return }
      var form = ProductForm(.registration, capabilities: capabilities)
      if let draft {
        form.restore(draft)
        showPhotos(draft.photos)
        savedAt = draft.changed
      }
      self.form = form
      show(nil)
    } catch {
      fail(intent, error)
    }
  }

  /// `e`: asks for the password of a product first.
  package func beginEdit(of product: ListedProduct) {
    openPrompt(.edit, product)
  }

  /// `D`: asks for the password of a product first.
  package func beginDeletion(of product: ListedProduct) {
    openPrompt(.deletion, product)
  }

  /// `u`: takes the latest edit back, which needs the password again.
  package func beginUndo() {
    guard let last = edits.last else { return didAnnounce(.hint(.nothingToUndo)) }
    guard !last.undoing().isEmpty else { return didAnnounce(.hint(.photosGone)) }
    openPrompt(.undo, ListedProduct(last.after.product))
  }

  private func openPrompt(
    _ purpose: SellingIntent.Purpose, _ product: ListedProduct, draft: Draft? = nil
  ) {
    guard !isActive, begin(purpose, of: product, draft: draft) != nil else { return }
    show(.password(PasswordPrompt(purpose: purpose, product: product)))
  }

  /// Asks for the password of the product that a draft is about, if it still exists.
  func openEdit(of id: Product.ID, with draft: Draft) {
    guard let intent = begin(.edit, draft: draft) else { return }
    waitForForm {
      do throws(RepositoryError) {
        let product = try await self.services.repository.detail(of: id).product
        guard self.isCurrent(intent.number) else { return }
        self.end()
        self.openPrompt(.edit, ListedProduct(product), draft: draft)
      } catch {
        self.fail(intent, error)
      }
    }
  }

  private func fail(_ intent: SellingIntent, _ error: RepositoryError) {
    guard isCurrent(intent.number) else { return }
    end()
    didAnnounce(.notSent(error, keepsForm: false))
  }

  /// Reads the product anew and opens its form, or offers the draft that was left of it.
  func openEdit(_ intent: SellingIntent) async {
    guard let product = intent.product else { return }
    do throws(RepositoryError) {
      let capabilities = try await services.repository.capabilities()
      let detail = try await services.repository.detail(of: product.id)
      let left = await services.drafts.drafts().first { $0.target == .edit(product.id) }
      guard isCurrent(intent.number) else { return }
      form = ProductForm(.edit(detail), capabilities: capabilities)
      if let draft = intent.draft { return resume(draft) }
      show(left.map { .question(SellingQuestion(.draft($0))) })
    } catch {
      fail(intent, error)
    }
  }

  /// Puts the draft of an edit into its form, and keeps it from then on; where the product is
  /// another by now, both versions are shown first.
  func resume(_ draft: Draft) {
    guard let current = intent, let form, case .edit(let detail) = form.purpose else { return }
    intent = nil
    guard begin(.edit, of: current.product, draft: draft) != nil else { return }
    intent?.password = current.password
    if let conflict = ConflictModel(draft: draft, form: form, theirs: detail) {
      self.form = nil
      show(.conflict(conflict))
    } else {
      self.form?.restore(draft)
      savedAt = draft.changed
      show(nil)
    }
    showPhotos(draft.photos)
  }
}

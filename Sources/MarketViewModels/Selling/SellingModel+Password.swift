package import EditorKit
internal import MarketModel

/// The password prompt.
extension SellingModel {
  package func editSecret(_ change: (inout SecretEditor) -> Void) {
    guard case .password(var prompt) = dialog else { return }
    change(&prompt.secret)
    dialog = .password(prompt)
  }

  /// Lets the market check what was typed.
  package func verifyPassword() {
    guard case .password(var prompt) = dialog, let intent, let product = intent.product,
      !prompt.secret.isEmpty, let attempt = prompt.gate.verify()
    else { return }
    let password = Password(prompt.secret)
    prompt.secret.wipe()
    dialog = .password(prompt)
    sending = Task.immediate {
      var failure: RepositoryError?
      do throws(RepositoryError) {
        let author = await sellingAccount().author
        try await services.repository.verify(password, for: product.id, by: author)
      } catch {
        failure = error
      }
      didVerify(attempt, of: intent, password: password, error: failure)
    }
  }

  private func didVerify(
    _ attempt: Int, of intent: SellingIntent, password: Password, error: RepositoryError?
  ) {
    guard isCurrent(intent.number), case .password(var prompt) = dialog else {
      return password.wipe()
    }
    let opened = prompt.gate.didVerify(attempt, error: error)
    dialog = .password(prompt)
    guard opened else { return password.wipe() }
    self.intent?.password = password
    goOn(after: prompt)
  }

  /// What the right password opens.
  private func goOn(after prompt: PasswordPrompt) {
    guard let intent else { return }
    switch prompt.purpose {
    case .deletion: ask(.deletion(prompt.product))
    case .undo: ask(.undo(prompt.product, losesPhotos: edits.last?.losesPhotos == true))
    case .edit where form != nil:
      show(nil)
      submit()
    case .edit: Task.immediate { await openEdit(intent) }
    case .registration, .renaming: break
    }
  }

  /// Stops the check, or leaves the prompt.
  package func cancelPassword() {
    guard case .password(var prompt) = dialog else { return }
    if prompt.gate.cancel() {
      sending?.cancel()
      dialog = .password(prompt)
    } else if form != nil {
      show(nil)
    } else {
      end()
    }
  }

  /// Asks for the password of what is being changed: the one that was given is gone, or it was
  /// right before and is not now.
  func askPassword(after error: RepositoryError? = nil) {
    guard let intent, let product = intent.product else { return }
    intent.password?.wipe()
    self.intent?.password = nil
    var prompt = PasswordPrompt(purpose: intent.purpose, product: product)
    if let error { prompt.gate.close(error) }
    show(.password(prompt))
  }
}

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
        let author = await author(of: product)
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
    guard isCurrent(intent.number), case .password(var prompt) = dialog,
      prompt.gate.didVerify(attempt, error: error)
    else {
      password.wipe()
      if isCurrent(intent.number), case .password(var prompt) = dialog {
        _ = prompt.gate.didVerify(attempt, error: error)
        dialog = .password(prompt)
      }
      return
    }
    self.intent?.password = password
    goOn(after: prompt)
  }

  /// What the right password opens.
  private func goOn(after prompt: PasswordPrompt) {
    guard let intent else { return }
    switch prompt.purpose {
    case .deletion: ask(.deletion(prompt.product))
    case .undo: ask(.undo(prompt.product))
    case .edit where form != nil: show(nil)
    case .edit:
      dialog = .password(prompt)
      Task.immediate { await openEdit(intent) }
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

  /// On whose behalf a product is changed: its seller's, where that is us; the password decides.
  func author(of product: ListedProduct) async -> Author {
    await sellingAccount().author
  }

  /// Asks for the password again, which was right before.
  func askPasswordAgain(_ error: RepositoryError) {
    guard let intent, let product = intent.product else { return }
    intent.password?.wipe()
    self.intent?.password = nil
    var prompt = PasswordPrompt(purpose: intent.purpose, product: product)
    prompt.gate.close(error)
    show(.password(prompt))
  }
}

package import MarketModel

/// What others did to a product while it was edited.
package enum ConcurrentChange: Hashable, Sendable {
  /// It is this by now.
  case changed(ProductDetail)
  case deleted
}

/// Watch over the product of the intent that is going on: the prompt and the form learn what others do
/// to it before anything is sent.
///
/// News may be older than what the form began with, so that the product is read before the form says
/// so; once at a time, however often it changes.
final class EditConflictMonitor {
  private let running: ActiveIntent
  private let repository: any ProductRepository
  private var check: Task<Void, Never>?
  private var isDueAgain = false

  init(_ running: ActiveIntent, repository: any ProductRepository) {
    self.running = running
    self.repository = repository
  }

  func didSee(_ change: ProductChange) {
    guard let intent = running.intent, productID(of: intent) == change.id else { return }
    if let prompt = running.layers.dialog as? PasswordModel {
      prompt.didSee(change.kind == .deleted ? .deleted : .changed)
    }
    guard let form = running.form, !isOwn(change, in: form) else { return }
    if change.kind == .deleted { form.didSee(.deleted) } else { read(intent, form) }
  }

  private func productID(of intent: SellingIntent) -> Product.ID? {
    if case .edit(let base) = running.form?.form.purpose { return base.id }
    return intent.product?.id
  }

  /// Whether a change is the one that the form is sending, or the one it began with.
  private func isOwn(_ change: ProductChange, in form: FormModel) -> Bool {
    if running.layers.dialog is SendingModel { return true }
    guard case .edit(let base) = form.form.purpose else { return false }
    return change.led(to: base.version)
  }

  private func read(_ intent: SellingIntent, _ form: FormModel) {
    guard check == nil else {
      isDueAgain = true
      return
    }
    guard case .edit(let base) = form.form.purpose else { return }
    check = Task {
      let theirs = await meanwhile(of: base)
      check = nil
      let isCurrent = running.isCurrent(intent) && running.form === form
      if isCurrent, let theirs { form.didSee(theirs) }
      guard isDueAgain else { return }
      isDueAgain = false
      if isCurrent { read(intent, form) }
    }
  }

  /// What became of a product; nil where nothing did, or nobody says so, as the sending will.
  private func meanwhile(of base: ProductDetail) async -> ConcurrentChange? {
    do throws(RepositoryError) {
      let now = try await repository.detail(of: base.id)
      let isSame = now.version == nil ? now == base : now.version?.state == base.version?.state
      return isSame ? nil : .changed(now)
    } catch {
      return error == .notFound ? .deleted : nil
    }
  }
}

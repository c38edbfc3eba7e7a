package import MarketModel

/// What others did to a product while it was edited.
package enum ConcurrentChange: Hashable, Sendable {
  /// It is this by now.
  case changed(ProductDetail)
  case deleted
}

/// Look at what became of a product while its form is open.
///
/// News may be older than what the form began with, so that the product is read before the form says
/// so; once at a time, however often it changes.
final class EditConflictMonitor {
  private let repository: any ProductRepository
  private var reading: Task<Void, Never>?
  private var isDueAgain = false

  init(repository: any ProductRepository) {
    self.repository = repository
  }

  /// Reads the product of a form, which learns of it where that is something else by now.
  func check(_ form: FormModel) {
    guard reading == nil else {
      isDueAgain = true
      return
    }
    reading = Task {
      await read(form)
      reading = nil
      guard isDueAgain else { return }
      isDueAgain = false
      check(form)
    }
  }

  private func read(_ form: FormModel) async {
    guard case .edit(let base) = form.form.purpose else { return }
    if let theirs = await meanwhile(of: base) { form.didSee(theirs) }
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

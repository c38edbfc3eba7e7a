package import MarketModel

/// Change by others during an edit.
package enum ConcurrentChange: Hashable, Sendable {
  /// The current version.
  case changed(ProductDetail)
  case deleted
}

/// Monitor for changes by others while the form of an edit is open.
///
/// A change event may be older than the version in the form, so the product is read first; one
/// request at a time, however many events arrive.
final class EditConflictMonitor {
  private let repository: any ProductRepository
  private var reading: Task<Void, Never>?
  private var isDueAgain = false

  init(repository: any ProductRepository) {
    self.repository = repository
  }

  /// Reads the product of a form and tells the form if it has changed.
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

  /// Change of a product; nil if it has not changed or cannot be read.
  ///
  /// Sending the form shows it then.
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

package import MarketModel

/// List of a bulk edit: its changes, progress and results.
package final class BulkEditModel: Dialog, ListModel {
  /// Answers products that refused the password and are to be retried with their own.
  package let reply = Reply<Refused>()

  /// Rows to be retried with another password, which the first refused product names.
  package struct Refused: Sendable {
    let first: ListedProduct
    let ids: [Product.ID]
    /// Rows to retry with that password.
    let indices: [Int]
  }

  package enum Phase: Hashable, Sendable {
    /// Reads the current products.
    case reading
    /// Shows all changes and waits for the confirmation.
    case asking
    case sending
    case done
  }

  /// One product; rows do not move.
  package struct Row {
    package enum State: Hashable, Sendable {
      case waiting
      /// Will be sent after the confirmation.
      case ready
      /// Already has the new values.
      case unchanged
      case sending
      case done
      /// The product was deleted.
      case gone
      /// Sold out, so that it cannot be reserved.
      case sold
      case failed(RepositoryError)
      /// Nothing was sent for it.
      case notReached
    }

    package let product: ListedProduct
    package fileprivate(set) var state = State.waiting
    fileprivate var form: ProductForm?

    /// Changes of the product; nil for a deletion, and before it is read.
    package var changes: FieldChanges? { form?.changes }

    /// Whether the row can be retried.
    package var isOpen: Bool {
      switch state {
      case .failed, .notReached: true
      case .waiting, .ready, .unchanged, .sending, .done, .gone, .sold: false
      }
    }
  }

  package let change: BulkChange
  @Observed package private(set) var phase = Phase.reading
  @Observed package private(set) var rows: [Row]
  /// The products, in the order of the rows.
  package let list = SectionedList<Never, ListedProduct>()
  package let sections: [ListSection<Never, ListedProduct>]
  /// The selected answer, initially “no” for a deletion.
  @Observed package private(set) var isYes: Bool

  private let sender: BulkSender
  /// Password of all products that have no entry in `ownPasswords`.
  private let password: Password
  private var ownPasswords: [Product.ID: Password] = [:]
  private var task: Task<Void, Never>?
  private var isClosed = false

  init(
    _ change: BulkChange, of products: [ListedProduct], with password: Password,
    by sender: BulkSender
  ) {
    self.change = change
    isYes = change != .deletion
    self.password = password
    self.sender = sender
    rows = products.map { Row(product: $0) }
    sections = [ListSection(products)]
    list.show(sections)
  }

  package var isDeletion: Bool { change == .deletion }

  /// Number of rows whose state satisfies a condition.
  package func count(where isCounted: (Row.State) -> Bool) -> Int {
    rows.count { isCounted($0.state) }
  }

  package var hasOpenRows: Bool { rows.contains(where: \.isOpen) }
  package var isSelectedOpen: Bool { rows.indices.contains(selected) && rows[selected].isOpen }

  private var selected: Int { list.selectedNumber ?? 0 }

  package func didClose() {
    isClosed = true
    task?.cancel()
    password.wipe()
    for password in ownPasswords.values { password.wipe() }
  }

  // MARK: Reading

  /// Reads the products and shows the changes.
  func start() {
    phase = .reading
    work { [self] in
      for index in rows.indices where rows[index].state == .waiting {
        await read(index)
        if Task.isCancelled { return }
      }
      if rows.contains(where: { $0.state == .ready }) { phase = .asking } else { finish() }
    }
  }

  private func read(_ index: Int) async {
    guard !isDeletion, rows[index].form == nil else {
      rows[index].state = .ready
      return
    }
    do throws(RepositoryError) {
      let form = try await sender.loader.form(of: rows[index].product.id, with: change)
      if change == .reservation(true), case .edit(let base) = form.purpose, base.product.isSoldOut {
        rows[index].state = .sold
        return
      }
      rows[index].form = form
      rows[index].state = form.patch().isEmpty ? .unchanged : .ready
      if rows[index].state == .unchanged { didFinishRow(index) }
    } catch {
      didFail(index, error)
    }
  }

  // MARK: Sending

  /// Sends the ready rows, one after the other.
  package func confirm() {
    guard phase == .asking else { return }
    phase = .sending
    work { [self] in
      for index in rows.indices where rows[index].state == .ready {
        if Task.isCancelled { break }
        // If the password was wiped in the meantime, nothing is sent; a retry asks for it.
        guard hasPassword(index) else { break }
        rows[index].state = .sending
        if await !send(index) { break }
      }
      endSending()
    }
  }

  private func hasPassword(_ index: Int) -> Bool {
    (ownPasswords[rows[index].product.id] ?? password).byteCount > 0
  }

  /// Sends one row; false if the market cannot be reached, so that the others have to wait.
  private func send(_ index: Int) async -> Bool {
    let row = rows[index]
    do throws(RepositoryError) {
      let own = ownPasswords[row.product.id]
      let outcome = try await sender.send(row.product.id, row.form, own ?? password)
      rows[index].state = .done
      if own == nil { sender.didProve(row.product) }
      sender.didFinish(outcome, row.product, row.form)
      return true
    } catch {
      didFail(index, error)
      switch error {
      case .unreachable, .tooManyRequests, .cancelled: return false
      default: return true
      }
    }
  }

  private func didFail(_ index: Int, _ error: RepositoryError) {
    if error == .notFound {
      rows[index].state = .gone
      sender.didFinish(.deleted(rows[index].product.id), rows[index].product)
    } else {
      rows[index].state = .failed(error)
    }
  }

  private func didFinishRow(_ index: Int) {
    if case .edit(let detail)? = rows[index].form?.purpose {
      sender.didFinish(.changed(detail), rows[index].product)
    }
  }

  private func endSending() {
    for index in rows.indices where rows[index].state == .ready {
      rows[index].state = .notReached
    }
    finish()
  }

  /// Ends with the selection on a row that can be retried, if there is one.
  private func finish() {
    phase = .done
    if !isSelectedOpen, let open = rows.firstIndex(where: \.isOpen) { list.select(number: open) }
  }

  /// Selects the other answer.
  package func chooseOther() { isYes.toggle() }

  /// Gives the selected answer.
  package func giveAnswer() { if isYes { confirm() } else { cancel() } }

  /// Stops the requests, or leaves the list.
  package func cancel() {
    // The running request ends with or without a response, which its row shows.
    if phase == .sending { task?.cancel() } else { reply.give(nil) }
  }

  // MARK: Trying again

  /// Retries the failed rows: the selected one, or all of them.
  ///
  /// Rows that refused the password ask for their own first; all do if it was wiped.
  package func retry(all: Bool) {
    guard phase == .done else { return }
    let indices = all ? rows.indices.filter { rows[$0].isOpen } : isSelectedOpen ? [selected] : []
    let refused = indices.filter {
      rows[$0].state == .failed(.wrongPassword) || !hasPassword($0)
    }
    guard let first = refused.first else { return goOn(with: indices) }
    reply.give(
      Refused(
        first: rows[first].product, ids: refused.map { rows[$0].product.id }, indices: indices))
  }

  /// Retries rows with the password of those that had refused it.
  func retry(_ refused: Refused, with password: Password) {
    guard !isClosed, phase == .done else { return password.wipe() }
    for id in refused.ids { ownPasswords[id] = password }
    goOn(with: refused.indices)
  }

  private func goOn(with indices: [Int]) {
    guard !indices.isEmpty else { return }
    for index in indices {
      // The change is computed again only after a change by others: an attempt whose response was
      // lost must not count twice.
      if case .failed(.conflict) = rows[index].state { rows[index].form = nil }
      rows[index].state = .waiting
    }
    start()
  }

  /// Runs `body` after the current task has ended.
  private func work(_ body: @escaping () async -> Void) {
    let before = task
    task = Task.immediate {
      await before?.value
      if !Task.isCancelled { await body() }
    }
  }
}

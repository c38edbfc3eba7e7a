internal import EditorKit
internal import MarketModel

/// Introduction of a seller to the market: name and contact are asked for one after the other, before
/// the first registration or to change them.
final class SellerOnboarding {
  private let running: ActiveIntent
  private let account: SellerAccountModel
  private weak let delegate: (any SellingDelegate)?

  init(
    _ running: ActiveIntent, account: SellerAccountModel, delegate: (any SellingDelegate)?
  ) {
    self.running = running
    self.account = account
    self.delegate = delegate
  }

  /// Asks for a name, beginning with the one that the seller has.
  func begin(_ intent: SellingIntent, from name: String = "") {
    askName(SellerLineModel.nameEditor(name), intent)
  }

  private func askName(_ editor: LineEditor, _ intent: SellingIntent) {
    running.show(
      SellerLineModel(.name(isChange: running.form == nil), editor) { [self] name in
        guard let name else { return running.leaveDialog() }
        askContact(
          SellerLineModel.contactEditor(account.seller?.contact), after: name, intent)
      })
  }

  /// Asks how the seller is reached; the way back leads to the name.
  private func askContact(_ editor: LineEditor, after name: LineEditor, _ intent: SellingIntent) {
    running.show(
      SellerLineModel(.contact, editor) { [self] contact in
        guard let contact else { return askName(name, intent) }
        introduce(name, contact, intent)
      })
  }

  /// Tells the market who sells; a registration that waited for it goes on to its question.
  private func introduce(_ name: LineEditor, _ contact: LineEditor, _ intent: SellingIntent) {
    let waiting = running.showSending(intent)
    running.ask { [self] in
      do throws(RepositoryError) {
        let seller = try await account.change(
          SellerChange(
            name: name.text.trimmed, contact: SellerChange.Contact(entered: contact.text)))
        guard running.isCurrent(intent), running.layers.dialog === waiting else { return }
        guard seller != nil else {
          askContact(contact, after: name, intent)
          delegate?.announce(.hint(.accountNotMade))
          return
        }
        didIntroduce(intent)
      } catch {
        guard running.isCurrent(intent), running.layers.dialog === waiting else { return }
        askContact(contact, after: name, intent)
        delegate?.announce(.notSent(error, keepsForm: false))
      }
    }
  }

  private func didIntroduce(_ intent: SellingIntent) {
    if intent.purpose == .renaming {
      running.end()
      if let seller = account.seller { delegate?.sellerDidChange(seller.id) }
      delegate?.announce(.sold(.renaming))
    } else {
      running.layers.closeDialog()
      running.form?.submit()
    }
  }
}

internal import EditorKit
internal import MarketModel

/// Registrations that wait for their market: they are kept while it cannot be reached, and offered
/// one after the other when it can be again and nothing else is open.
///
/// A password is never kept, so each is asked for it before it goes out, which is once: a draft
/// keeps the key of its registration.
final class Outbox {
  private let running: ActiveIntent
  private let services: SellingServices
  private let drafts: DraftCollection
  private let opening: FormPresenter
  /// Whether there may be some that were not offered since the market is there.
  private var isPending = false
  /// Those that were put off since then.
  private var postponed: Set<Draft.ID> = []
  weak var delegate: (any OutboxDelegate)?

  init(
    _ running: ActiveIntent, services: SellingServices, drafts: DraftCollection,
    opening: FormPresenter,
    on stack: LayerStack
  ) {
    self.running = running
    self.services = services
    self.drafts = drafts
    self.opening = opening
    services.reach.didReturn = { [weak self] in self?.marketDidReturn() }
    stack.didUncover = { [weak self] in self?.offerSoon() }
  }

  // MARK: Keeping

  /// Asks whether the market is there by now: then the form goes on to be sent, otherwise it waits.
  func check(_ form: FormModel, _ intent: SellingIntent, showing dialog: SendingModel) {
    running.ask { [self] in
      do throws(RepositoryError) {
        _ = try await services.repository.page(PageRequest(size: 1))
        let capabilities = try await services.repository.capabilities()
        services.reach.didAnswer()
        guard running.isCurrent(intent), running.layers.dialog === dialog else { return }
        running.layers.closeDialog()
        form.learn(capabilities)
        form.submit()
      } catch {
        guard running.isCurrent(intent), running.layers.dialog === dialog else { return }
        didNotReach(error, form.form)
      }
    }
  }

  private func didNotReach(_ error: RepositoryError, _ form: ProductForm) {
    guard case .unreachable = error else {
      running.leaveDialog()
      delegate?.announce(.notSent(error, keepsForm: true))
      return
    }
    services.reach.didFail(error)
    running.intent?.isWaiting = true
    if let intent = running.intent { delegate?.leave(form, intent, saying: .draftIsQueued) }
  }

  // MARK: Offering

  private func marketDidReturn() {
    isPending = true
    postponed = []
    offerSoon()
  }

  /// Offers the next one as soon as what is going on now is through.
  private func offerSoon() {
    guard isPending, services.reach.isThere else { return }
    Task { await offer() }
  }

  private var isFree: Bool { running.layers.isFree && !running.isOpening && running.intent == nil }

  private func offer() async {
    guard isFree else { return }
    let left = await drafts.all().filter { draft in
      draft.isWaiting && draft.target == .registration && !postponed.contains(draft.id)
    }
    isPending = !left.isEmpty
    // The one that waits longest comes first.
    guard isFree, let draft = left.last,
      let intent = running.begin(.registration, draft: draft)
    else { return }
    running.show(
      OutboxPromptModel(draft, count: left.count) { [self] answer in
        switch answer {
        case .send(let secret): send(draft, secret, intent)
        case .later:
          postponed.insert(draft.id)
          running.end()
        }
      })
  }

  /// Sends a draft from its form, so that what the market refuses can be mended there.
  private func send(_ draft: Draft, _ secret: PasswordEditor, _ intent: SellingIntent) {
    running.ask { [self] in
      do throws(RepositoryError) {
        var (form, isGuessed) = try await opening.reading.registration(from: draft)
        guard running.isCurrent(intent) else { return }
        form.editPassword { $0 = secret }
        opening.open(form, isGuessed: isGuessed, savedAt: draft.changed)
        running.intent?.isConfirmed = true
        running.form?.submit()
        running.intent?.isConfirmed = false
      } catch {
        guard running.isCurrent(intent) else { return }
        postponed.insert(draft.id)
        running.end()
        delegate?.announce(.notSent(error, keepsForm: false))
      }
    }
  }
}

/// Delegate that closes forms and says why.
protocol OutboxDelegate: AnyObject {
  func announce(_ notice: Notice)
  /// Closes the form and keeps a draft of it.
  func leave(_ form: ProductForm, _ intent: SellingIntent, saying hint: Notice.Hint)
}

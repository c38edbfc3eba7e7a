internal import EditorKit
internal import MarketModel

/// Queued registrations and edits: they are offered one after the other when the market can be
/// reached again and no other layer is open.
///
/// Passwords are never saved, so each is asked for before its registration is sent. The draft's
/// idempotency key prevents a second effect.
struct Outbox {
  /// Value of `ReachabilityMonitor.returns` when drafts were last offered.
  fileprivate var returns = 0
  /// Whether queued drafts may not have been offered since then.
  fileprivate var isPending = false
  /// Drafts that were put off since then.
  fileprivate var postponed: Set<Draft.ID> = []

  fileprivate mutating func didReturn(_ returns: Int) {
    guard returns != self.returns else { return }
    self = Outbox(returns: returns, isPending: true)
  }

  fileprivate mutating func waiting(among drafts: [Draft]) -> [Draft] {
    let waiting = drafts.filter { $0.isWaiting && !postponed.contains($0.id) }
    isPending = !waiting.isEmpty
    return waiting
  }
}

extension SellingModel {
  private var isFree: Bool { !isBusy && !stack.isCovered }

  /// Offers the next draft as soon as the market answers and no flow or layer is open.
  func watchOutbox() {
    let isDue = observing {
      outbox.didReturn(services.reach.returns)
      return isFree && outbox.isPending && services.reach.isThere
    } onChange: { [weak self] in
      Task { @MainActor [weak self] in self?.watchOutbox() }
    }
    if isDue { Task { await offerWaiting() } }
  }

  private func offerWaiting() async {
    let waiting = outbox.waiting(among: await drafts.all())
    // The oldest draft comes first.
    guard isFree, let draft = waiting.last else { return }
    startFlow { [self] flow in
      guard draft.target == .registration else {
        outbox.postponed.insert(draft.id)
        if await flow.present(ConfirmationModel(.queued(draft))) == true {
          await open(draft, isConfirmed: true, in: flow)
        }
        return
      }
      guard let secret = await flow.present(OutboxPromptModel(draft, count: waiting.count)) else {
        outbox.postponed.insert(draft.id)
        return
      }
      await send(draft, secret, in: flow)
    }
  }

  /// Sends a draft through its form, where errors of the market can be corrected.
  private func send(_ draft: Draft, _ secret: PasswordEditor, in flow: Flow) async {
    let submission = submission(to: .registration, from: draft)
    let opened = await flow.work { [services] () async throws(RepositoryError) in
      try await FormDataLoader(services: services).registration(from: draft)
    }
    switch opened {
    case .success((var form, let isGuessed)):
      secret.withBytes { form.fillPassword($0) }
      var secret = secret
      secret.wipe()
      let model = open(
        form, of: submission, isGuessed: isGuessed, savedAt: draft.changed, in: flow)
      if model.isReady() { await register(model, isConfirmed: true, in: flow) }
      await fillIn(model, in: flow)
    case .failure(let error):
      outbox.postponed.insert(draft.id)
      announce(.notSent(error, keepsForm: false))
    case nil: outbox.postponed.insert(draft.id)
    }
  }
}

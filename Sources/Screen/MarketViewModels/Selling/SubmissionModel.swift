internal import MarketModel
import Observation

/// Delivery of what a seller wants to the market: from the one question before it to what comes of the
/// answer.
///
/// Answers come back with the number of the attempt and of the intent that they belong to, whose pure
/// machine (`SubmitFlow`) says whether they still count.
@Observable
final class SubmissionModel {
  /// Edits of this run that can be taken back, the latest last.
  var edits = FinishedEdits()

  private let running: ActiveIntent
  private let services: SellingServices
  private let account: SellerAccountModel
  private let drafts: DraftCollection
  private let opening: FormPresenter
  private let prompt: PasswordPrompt
  private let passwordCache: PasswordCache
  private weak let delegate: (any SellingDelegate)?

  init(
    _ running: ActiveIntent, services: SellingServices, account: SellerAccountModel,
    drafts: DraftCollection, opening: FormPresenter, prompt: PasswordPrompt,
    passwordCache: PasswordCache, delegate: (any SellingDelegate)?
  ) {
    self.running = running
    self.services = services
    self.account = account
    self.drafts = drafts
    self.opening = opening
    self.prompt = prompt
    self.passwordCache = passwordCache
    self.delegate = delegate
  }

  private var form: ProductForm? { running.form?.form }

  // MARK: Sending

  /// Asks the one question before something is sent.
  func ask(_ subject: QuestionModel.Subject) {
    guard running.intent?.flow.ask() == true else { return }
    running.show(
      QuestionModel(subject) { [self] answer in
        if answer == .yes { return send() }
        running.intent?.flow.decline()
        running.leaveDialog()
      })
  }

  /// Asks whether the latest edit is to be taken back.
  func askToUndo(_ product: ListedProduct) {
    guard let last = edits.last else { return running.end() }
    ask(.undo(product, last.undoneChanges, losesPhotos: last.losesPhotos))
  }

  /// Sends what was answered with yes before.
  func sendConfirmed() {
    _ = running.intent?.flow.ask()
    send()
  }

  /// Begins one attempt after the question was answered with yes.
  private func send() {
    guard let message = running.intent?.message(form, undoing: edits.last),
      let attempt = running.intent?.flow.confirm()
    else { return }
    running.intent?.wasSent = true
    guard let intent = running.intent else { return }
    running.showSending(intent)
    running.ask { [self] in
      // On disk before the first byte goes: whoever finds the draft knows that it may have come
      // through.
      if intent.purpose == .registration { await running.form?.save() }
      if intent.purpose == .edit { await keepRemovedPhotos(intent) }
      do throws(RepositoryError) {
        guard let author = await author(for: intent) else { return didNotSend(intent, attempt) }
        didSucceed(try await message.deliver(to: services.repository, by: author), intent)
      } catch {
        didFail(error, attempt: attempt, intent)
      }
    }
  }

  /// Nil where a registration would have nobody who is known again.
  private func author(for intent: SellingIntent) async -> Author? {
    intent.purpose == .registration ? await account.current()?.author : await account.author()
  }

  /// Nothing has left this computer.
  private func didNotSend(_ intent: SellingIntent, _ attempt: Int) {
    guard running.isCurrent(intent), running.intent?.flow.didFail(attempt) == true else { return }
    running.intent?.wasSent = false
    running.leaveDialog()
    delegate?.announce(.hint(.accountNotMade))
  }

  /// Reads the photos that an edit is about to remove, so that it can be taken back.
  private func keepRemovedPhotos(_ intent: SellingIntent) async {
    guard let form else { return }
    let removed = await opening.reading.photos(removedBy: form, besides: intent.removed)
    if running.isCurrent(intent) { running.intent?.removed = removed }
  }
}

// MARK: Answers

extension SubmissionModel {
  /// An attempt came through; that is told and shown even where nobody waits any more.
  private func didSucceed(_ outcome: SellingOutcome, _ intent: SellingIntent) {
    let isAwaited = running.isCurrent(intent)
    let edit = isAwaited ? finishedEdit(outcome) : nil
    if isAwaited {
      guard running.intent?.flow.didSucceed() == true else { return }
      keepPassword(of: outcome)
      running.end()
    }
    drafts.discard(intent.draftID)
    switch outcome {
    case .registered(let detail): account.didRegister(detail)
    case .changed where intent.purpose == .undo: edits.removeLast()
    case .changed: if let edit { edits.append(edit) }
    case .deleted(let id): edits.removeAll(of: id)
    }
    delegate?.didFinish(outcome)
    if case .registered(let detail) = outcome {
      delegate?.announce(.registered(ListedProduct(detail.product), .shown))
      if isAwaited { delegate?.didRegister(detail) }
    } else {
      delegate?.announce(.sold(intent.purpose))
    }
  }

  /// A password counts from its last use that was right; that of a registration is one.
  private func keepPassword(of outcome: SellingOutcome) {
    switch outcome {
    case .registered(let detail):
      guard let form else { return }
      let password = Password(form.password)
      defer { password.wipe() }
      passwordCache.keep(password, for: detail.id, by: account.identifier)
    case .changed(let detail): passwordCache.didUse(for: detail.id)
    case .deleted: break
    }
  }

  private func finishedEdit(_ outcome: SellingOutcome) -> FinishedEdit? {
    guard case .changed(let after) = outcome, let form, case .edit(let before) = form.purpose
    else { return nil }
    return FinishedEdit(
      before: before, after: after, capabilities: form.capabilities,
      removed: running.intent?.removed ?? [:])
  }

  private func didFail(_ error: RepositoryError, attempt: Int, _ intent: SellingIntent) {
    guard running.isCurrent(intent), running.intent?.flow.didFail(attempt) == true else { return }
    // An attempt that was answered leaves nothing to look for.
    if !error.isTransient { running.intent?.wasSent = false }
    // What was sent before has come through; what the form says now is something else.
    if error == .keyReused {
      running.intent?.key = IdempotencyKey(rawValue: services.makeToken())
    }
    switch error {
    case .invalid(let errors) where form != nil:
      running.layers.closeDialog()
      running.form?.refuse(errors)
    case .conflict(let current): didFindConflict(current, intent)
    case .notFound where intent.purpose == .deletion:
      // Somebody was quicker: what is gone leaves the list as well.
      running.end()
      if let id = intent.product?.id { delegate?.didFinish(.deleted(id)) }
      delegate?.announce(.notSent(error, keepsForm: false))
    case .wrongPassword, .tooManyAttempts: prompt.ask(after: error)
    default:
      running.leaveDialog()
      delegate?.announce(.notSent(error, keepsForm: form != nil))
    }
  }

  /// The product is not what was edited: either an earlier attempt came through after all, or
  /// someone else changed it.
  private func didFindConflict(_ current: ProductDetail, _ intent: SellingIntent) {
    guard let form else {
      running.end()
      delegate?.announce(.notSent(.conflict(current: current), keepsForm: false))
      return
    }
    if form.isContained(in: current) {
      _ = running.intent?.flow.ask()
      _ = running.intent?.flow.confirm()
      return didSucceed(.changed(current), intent)
    }
    opening.show(Conflict(mine: form, theirs: current))
  }
}

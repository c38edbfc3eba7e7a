internal import MarketModel
import Observation

/// The intent that a seller follows now, and what is open for it: the form and a dialog.
@Observable
final class ActiveIntent {
  /// Nil between two intents.
  @ObservationIgnored var intent: SellingIntent?
  /// Whether the market was asked for what a form needs and has not answered; nothing lies over the
  /// list meanwhile.
  private(set) var isOpening = false

  let layers: SellingDialogs
  /// Learns that somebody waits no longer for what was sent.
  @ObservationIgnored var didCancel: () -> Void = {}
  private let makeToken: () -> String
  @ObservationIgnored private var count = 0
  /// What the market is asked.
  @ObservationIgnored private var asking: Task<Void, Never>?

  init(layers: SellingDialogs, makeToken: @escaping () -> String) {
    self.layers = layers
    self.makeToken = makeToken
  }

  var form: FormModel? { layers.form }

  /// Begins something new, also where a form was asked for that has not come; nil while something else
  /// is going on.
  func begin(
    _ purpose: SellingIntent.Purpose, of product: ListedProduct? = nil, draft: Draft? = nil
  ) -> SellingIntent? {
    if isOpening { end() }
    guard intent == nil else { return nil }
    count += 1
    let token = makeToken()
    intent = SellingIntent(
      number: count, purpose: purpose, product: product, draft: draft,
      draftID: draft?.id ?? Draft.ID(rawValue: token),
      key: draft?.key ?? IdempotencyKey(rawValue: token), wasSent: draft?.wasSent ?? false,
      isWaiting: draft?.isWaiting ?? false)
    return intent
  }

  /// Begins with a draft in the place of what is going on, whose password counts for both.
  func restart(with draft: Draft) -> SellingIntent? {
    guard let before = intent else { return nil }
    intent = nil
    guard begin(before.purpose, of: before.product, draft: draft) != nil else { return nil }
    intent?.password = before.password
    return intent
  }

  /// Whether an intent is the one that is going on; replies to another one are late.
  func isCurrent(_ intent: SellingIntent) -> Bool { self.intent?.number == intent.number }

  /// Ends what is going on: nothing of it stays on the screen, and passwords are wiped.
  func end() {
    asking?.cancel()
    asking = nil
    intent?.password?.wipe()
    intent = nil
    isOpening = false
    layers.closeAll()
  }

  // MARK: Asking the market

  /// Asks the market until it answers or one cancels.
  func ask(_ body: @escaping () async -> Void) {
    asking = Task.immediate { await body() }
  }

  /// Asks for what a form needs, which may take as long as the market likes.
  func wait(_ body: @escaping () async -> Void) {
    isOpening = layers.isEmpty
    ask(body)
  }

  private func cancelAsking() { asking?.cancel() }

  // MARK: Dialogs

  func show(_ dialog: any Layer) {
    isOpening = false
    layers.show(dialog)
  }

  /// Shows that the market is asked for an intent; whoever cancels that waits no longer, and what was
  /// typed stays.
  @discardableResult func showSending(_ intent: SellingIntent) -> SendingModel {
    let model = SendingModel(intent.purpose) { [self] in
      cancelAsking()
      self.intent?.flow.cancel()
      leaveDialog()
      didCancel()
    }
    show(model)
    return model
  }

  func open(_ form: FormModel) {
    isOpening = false
    layers.open(form)
  }

  /// Leaves a dialog: back to the form, or to nothing.
  func leaveDialog() {
    if form == nil { end() } else { layers.closeDialog() }
  }
}

/// One thing that a seller has set out to do, from the first key to its end.
package struct SellingIntent {
  package enum Purpose: Hashable, Sendable {
    case registration
    case edit
    case deletion
    case undo
    /// Another name for the seller.
    case renaming
  }

  /// Tells this intent from those before; replies to another one are late.
  let number: Int
  package let purpose: Purpose
  /// The product it is about; nil for a registration.
  let product: ListedProduct?
  /// The draft that it goes on with.
  let draft: Draft?
  /// Held until the intent ends, then wiped.
  var password: Password?
  var flow = SubmitFlow()
  /// Under which name what is typed is kept.
  let draftID: Draft.ID
  var key: IdempotencyKey
  var wasSent = false
  /// Whether what is typed waits for the market to be reached.
  var isWaiting = false
  /// Whether the question before it is sent has been answered with yes.
  var isConfirmed = false
  /// The files of photos that an edit removes, read before it is sent.
  var removed: [FormPhoto.ID: [UInt8]] = [:]
}

/// Layers that a seller has open: a form, and over it or alone one dialog at a time.
@Observable
final class SellingDialogs {
  private(set) var form: FormModel?
  /// What asks something, in the place of what asked before.
  private(set) var dialog: (any Layer)?

  private let stack: LayerStack

  init(on stack: LayerStack) {
    self.stack = stack
  }

  var isEmpty: Bool { form == nil && dialog == nil }

  /// Whether nothing lies over the products, whoever put it there.
  var isFree: Bool { isEmpty && !stack.isCovered }

  /// Puts a form in the place of everything that was open.
  func open(_ form: FormModel) {
    place(form)
    closeAll()
    self.form = form
  }

  func show(_ dialog: any Layer) {
    place(dialog)
    closeDialog()
    self.dialog = dialog
  }

  func closeDialog() {
    guard let dialog else { return }
    self.dialog = nil
    stack.remove(dialog)
  }

  /// Takes the form away and leaves the dialog over it.
  func closeForm() {
    guard let form else { return }
    self.form = nil
    stack.remove(form)
  }

  fileprivate func closeAll() {
    closeDialog()
    closeForm()
  }

  private func place(_ layer: any Layer) {
    if let below = dialog ?? form { stack.push(layer, over: below) } else { stack.push(layer) }
  }
}

internal import MarketModel
import Observation

/// What a seller follows now, and what is open for it: the form and a dialog.
@Observable
final class RunningIntent {
  /// Nil between two intents.
  @ObservationIgnored var intent: SellingIntent?
  /// Whether the market was asked for what a form needs and has not answered; nothing lies over the
  /// list meanwhile.
  private(set) var isOpening = false

  let layers: SellingLayers
  private let makeToken: () -> String
  @ObservationIgnored private var count = 0
  /// What the market is asked.
  @ObservationIgnored private var asking: Task<Void, Never>?

  init(layers: SellingLayers, makeToken: @escaping () -> String) {
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
      key: draft?.key ?? IdempotencyKey(rawValue: token), wasSent: draft?.wasSent ?? false)
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

  func cancelAsking() { asking?.cancel() }

  // MARK: Dialogs

  func show(_ dialog: any Layer) {
    isOpening = false
    layers.show(dialog)
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

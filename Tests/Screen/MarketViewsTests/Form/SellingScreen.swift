import EditorKit
import MarketModel
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// The fields of a form, and what lies over forms and lists while something is sold.
nonisolated enum SellingScreen: CaseIterable {
  case photos, line, number, choice, text, secret
  case photoPath, picker, choices
  case password, drafts, waiting, waitingPassword, sellerName
  case deletion, edit, sending, conflict

  /// A stage on which the screen is on top.
  @MainActor func stage() async throws -> Stage {
    let hasDraft = [.drafts, .waiting, .waitingPassword].contains(self)
    let reach = ReachabilityMonitor()
    let draft = Draft(
      id: Draft.ID(rawValue: "1"), target: .registration, key: IdempotencyKey(rawValue: "1"),
      isWaiting: self != .drafts, values: FormValues(), changed: Timestamp(seconds: 0))
    let stage = Stage(sells: true, drafts: FakeDrafts(hasDraft ? [draft] : []), reach: reach)
    try await stage.show([.sample(id: 7, name: "Bicycle")])
    switch self {
    case .photos: await stage.open(.pictures)
    case .line: await stage.open(.name)
    case .number: await stage.open(.price)
    case .choice: await stage.open(.currency)
    case .text: await stage.open(.description)
    case .secret: await stage.open(.password)
    case .photoPath: await stage.open(.pictures, then: .enter)
    case .picker: await stage.open(.pictures, then: .enter, .enter)
    case .choices: await stage.open(.currency, then: .enter)
    case .password: stage.press("e")
    case .drafts:
      stage.press("n")
      await until { stage.top is DraftsModel }
    case .waiting, .waitingPassword:
      reach.didAnswer()
      await until { stage.top is OutboxPromptModel }
      if self == .waitingPassword { stage.press("y") }
    case .sellerName: try await stage.rename()
    case .deletion: try await stage.askToDelete()
    case .edit: try await stage.askToEdit()
    case .sending:
      try await stage.askToEdit()
      stage.press(.enter)
    case .conflict:
      try await stage.askToEdit()
      stage.press(.enter)
      let theirs = ProductDetail.sample(
        of: .sample(id: 7, name: "Bike"), version: ProductVersion(rawValue: "2"))
      try await stage.repository.updates.next().fail(.conflict(current: theirs))
      await until { stage.top is ConflictModel }
    }
    return stage
  }
}

extension Stage {
  /// Opens an empty form, goes to a field and presses what is to be pressed there.
  fileprivate func open(_ field: ProductField, then keys: KeyPress...) async {
    press("n")
    await until { form != nil }
    navigator.selling?.form?.edit { $0.focus(field) }
    for key in keys { press(key) }
  }

  fileprivate func rename() async throws {
    let start = Task.immediate { await navigator.selling?.start() }
    try await repository.sellers.next().answer(Seller(id: Seller.ID(rawValue: 7), name: "하나"))
    await start.value
    press("N")
  }

  private func givePassword() async throws {
    press("s", "e", "c", "r", "e", "t", .enter)
    try await repository.verifications.next().answer(())
  }

  func askToDelete() async throws {
    press("D")
    try await givePassword()
    await until { top is ConfirmationModel }
  }

  fileprivate func askToEdit() async throws {
    press("e")
    try await givePassword()
    try await repository.details.next().answer(.sample(of: .sample(id: 7, name: "Bicycle")))
    await until { form != nil }
    press("!", .control("s"))
    await until { top is ConfirmationModel }
  }
}

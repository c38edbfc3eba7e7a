import EditorKit
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// Story of a seller, in stretches between two answers of the market.
nonisolated enum SellingStory: CaseIterable {
  case edit, deletion, registration, firstRegistration, renaming, undo

  /// Keys before a request to the market, and its answer.
  struct Stretch {
    let keys: [KeyPress]
    let answer: @MainActor (StoryStage) async throws -> Void
  }

  /// Wrong password, right password, a change that meets another one, and what was chosen.
  private static let editing = [
    Stretch(keys: ["e"] + typed("wrong") + [.enter]) { stage in
      try await stage.repository.verifications.next().fail(.wrongPassword)
      await until { stage.prompt?.gate.phase == .asking(.wrongPassword) }
    },
    Stretch(keys: typed("secret") + [.enter]) { stage in
      try await stage.repository.verifications.next().answer(())
      try await stage.repository.details.next().answer(.sample(of: stage.product))
      await until { stage.form != nil }
    },
    Stretch(keys: ["!", .control("s"), .enter]) { stage in
      let theirs = ProductDetail.sample(
        of: .sample(id: 7, name: "Bike"), version: ProductVersion(rawValue: "2"))
      try await stage.update().fail(.conflict(current: theirs))
      await until { stage.top is ConflictModel }
    },
    Stretch(keys: [" ", " ", .enter, .control("s"), .enter]) { stage in
      try await stage.update().answer(.sample(of: .sample(id: 7, name: "Bicycle!")))
      await until { !stage.isBusy }
    },
  ]

  var stretches: [Stretch] {
    switch self {
    case .edit: Self.editing
    case .deletion:
      [
        Stretch(keys: ["D"] + Self.typed("secret") + [.enter]) { stage in
          try await stage.repository.verifications.next().answer(())
          await until { stage.top is ConfirmationModel }
        },
        Stretch(keys: ["y"]) { stage in
          let call = try await stage.repository.deletions.next()
          stage.requests.append("delete \(call.request.rawValue)")
          call.answer(.sample(of: stage.product))
          await until { !stage.isBusy }
        },
      ]
    case .registration:
      [
        Stretch(keys: ["n"]) { stage in await stage.fillIn() },
        Stretch(keys: ["!", .control("s"), .enter]) { stage in
          let call = try await stage.repository.registrations.next()
          stage.requests.append("register \(call.request.registration.name) \(call.request.key)")
          call.answer(.sample(of: .sample(id: 9, name: "Bicycle!")))
          await until { !stage.isBusy }
        },
      ]
    case .firstRegistration:
      [
        Stretch(keys: ["n"]) { stage in await stage.fillIn() },
        Stretch(
          keys: Array(repeating: .backTab, count: 5) + Self.typed("Hana") + [.tab]
            + Self.typed("010") + [.control("s"), .enter]
        ) { stage in
          let name = try await stage.repository.renames.next()
          stage.requests.append("name \(name.request)")
          name.answer(Seller(id: Seller.ID(rawValue: 7), name: "Hana"))
          let call = try await stage.repository.registrations.next()
          stage.requests.append("register \(call.request.registration.name) \(call.request.key)")
          call.answer(.sample(of: .sample(id: 9, name: "Bicycle")))
          await until { !stage.isBusy }
        },
      ]
    case .renaming:
      [
        Stretch(keys: ["N", "!", .enter, "@", .backspace, .enter]) { stage in
          let call = try await stage.repository.renames.next()
          stage.requests.append("rename \(call.request)")
          call.answer(Seller(id: Seller.ID(rawValue: 7), name: "하나!"))
          await until { !stage.isBusy }
        }
      ]
    case .undo:
      Self.editing + [
        Stretch(keys: ["u"]) { stage in
          // The password that was right is kept, where memory can be locked.
          if stage.prompt != nil {
            await stage.type(Self.typed("secret") + [.enter], atOnce: true)
            try await stage.repository.verifications.next().answer(())
          }
          await until { stage.top is ConfirmationModel }
        },
        Stretch(keys: [.enter]) { stage in
          try await stage.update().answer(.sample(of: stage.product))
          await until { !stage.isBusy }
        },
      ]
    }
  }

  private static func typed(_ text: String) -> [KeyPress] { text.map { KeyPress($0) } }
}

/// A stage for stories, and what was asked of its market.
final class StoryStage {
  let stage: Stage
  let drafts = FakeDrafts()
  let product = Product.sample(
    id: 7, seller: Seller(id: Seller.ID(rawValue: 7), name: "하나"), name: "Bicycle")
  var requests: [String] = []

  /// A list of one product, whose seller sells from here unless it is the first sale.
  init(isFirstSale: Bool = false) async throws {
    stage = Stage(
      sells: true, drafts: drafts, accounts: FakeAccounts(isKnown: !isFirstSale))
    try await stage.show([product])
    if !isFirstSale { try await stage.signIn() }
  }

  var repository: GatedProductRepository { stage.repository }
  var top: any Layer { stage.top }
  var form: ProductForm? { stage.form }
  var prompt: PasswordModel? { stage.navigator.stack.first(PasswordModel.self) }
  var selling: SellingModel? { stage.navigator.selling }
  var isBusy: Bool { selling?.isBusy == true }

  /// Types what is typed before the market is asked: in one write, or key by key.
  func type(_ keys: [KeyPress], atOnce: Bool) async {
    if atOnce {
      stage.type(keys.map(InputEvent.key))
    } else {
      for key in keys {
        stage.press(key)
        await stage.settle()
      }
    }
    await stage.rest()
  }

  func update() async throws -> GatedCall<GatedProductRepository.Edit, ProductDetail> {
    let call = try await repository.updates.next()
    requests.append("update \(call.request)")
    return call
  }

  /// Fills in the form of a new product, but for what is typed last.
  func fillIn() async {
    await until { self.form != nil }
    let model = selling?.form
    model?.addPhotos(named: "/a.jpg")
    await until { model?.form.photos.isBusy == false && model?.form.photos.photos.count == 1 }
    model?.edit { form in
      for (field, text) in [
        (ProductField.price, "1000"), (.description, "As good as new."), (.name, "Bicycle"),
      ] {
        form.focus(field)
        _ = form.paste(text)
      }
      form.setPassword("secret")
    }
  }

  /// What one sees, what was asked of the market and what is on disk.
  struct Trace: Equatable {
    let lines: [String]
    let requests: [String]
    let drafts: [Draft]
  }

  func trace() async -> Trace {
    // Pictures are read when they like.
    let lines = stage.lines(80, 24, .english, pictures: .none)
    return Trace(
      lines: lines.filter { !$0.contains("Photos *") }, requests: requests,
      drafts: await drafts.drafts())
  }
}

import EditorKit
import MarketModel
import MarketViewModels
import TestSupport
import Testing

extension SellingServices {
  /// Sells on a repository that answers when the test likes.
  @MainActor package static func sample(
    _ repository: GatedProductRepository, drafts: FakeDrafts = FakeDrafts(),
    accounts: FakeAccounts = FakeAccounts(), photos: FakePhotoImporter = FakePhotoImporter(),
    clock: ManualClock = ManualClock(), reach: ReachabilityMonitor = ReachabilityMonitor(),
    seen: (any ProductCache)? = nil, samplePassword: String? = nil,
    receiver: (any PhotoReceiver)? = nil
  ) -> SellingServices {
    var tokens = 0
    return SellingServices(
      repository: repository, seen: seen, drafts: drafts, accounts: accounts, photos: photos,
      pictures: FakePictures(), clock: clock,
      now: { Timestamp(seconds: 1_750_000_000) },
      makeToken: {
        tokens += 1
        return "token-\(tokens)"
      }, home: "/home/me", reach: reach, samplePassword: { _ in samplePassword },
      receiver: receiver)
  }
}

/// Seller without a screen: the open layers, and the announced notices.
@MainActor
package final class TestSeller: SellingDelegate {
  package func sellerDidChange(_ seller: Seller.ID) {}

  package private(set) lazy var selling = {
    let selling = SellingModel(services, on: stack, delegate: self)
    selling.passwordCache.asksAlways = { [keepsPasswords] in !keepsPasswords }
    return selling
  }()
  @Observed package private(set) var notices: [Notice] = []
  @Observed package private(set) var outcomes: [SellingOutcome] = []
  /// What the seller's own editor brings back.
  package var edited = EditorOutcome.none

  private let services: SellingServices
  private let keepsPasswords: Bool
  private let stack = LayerStack(bottom: Ground())

  private final class Ground: Layer {}

  /// Creates a seller who is asked for each password, unless `keepsPasswords`.
  package init(_ services: SellingServices, keepsPasswords: Bool = false) {
    self.services = services
    self.keepsPasswords = keepsPasswords
  }

  package func announce(_ notice: Notice) { notices.append(notice) }

  package func didFinish(_ outcome: SellingOutcome) { outcomes.append(outcome) }

  package func didRegister(_ detail: ProductDetail) {}

  package func editExternally(_ text: String, then take: (EditorOutcome) -> Void) { take(edited) }

  // MARK: What is open

  package var isActive: Bool { stack.isCovered }
  package var formModel: FormModel? { stack.first(FormModel.self) }
  package var form: ProductForm? { formModel?.form }
  /// What lies over the form or the list.
  package var dialog: (any Layer)? {
    stack.top is FormModel || !isActive ? nil : stack.top
  }
  package var question: ConfirmationModel? { stack.first(ConfirmationModel.self) }
  package var prompt: PasswordModel? { stack.first(PasswordModel.self) }
  package var several: BulkEditModel? { stack.first(BulkEditModel.self) }
  package var waiting: OutboxPromptModel? { stack.first(OutboxPromptModel.self) }
  package var gate: PasswordGate? { prompt?.gate }
  package var conflict: ConflictModel? { stack.first(ConflictModel.self) }
  package var drafts: DraftsModel? { stack.first(DraftsModel.self) }
  package var sending: SendingModel? { stack.first(SendingModel.self) }
  package var photoPath: PhotoPathModel? { stack.first(PhotoPathModel.self) }
  package var picking: PickerModel? { stack.first(PickerModel.self) }
  package var shelf: DraftListState { selling.drafts.list }

  /// Waits until what was answered has led on.
  package func settle() async { await until { !self.stack.isTurning } }

  // MARK: What is done

  package func edit(_ change: (inout ProductForm) -> Void) { formModel?.edit(change) }

  /// Types the password into the prompt and sends it.
  package func enter(_ password: String) {
    prompt?.edit { $0.type(password) }
    prompt?.confirm()
  }
}

extension ListModel {
  /// Chooses the selected item as `choose` of its own does; nothing where none is selected.
  package func chooseSelected(_ choose: (Item) -> Void) {
    if let item = list.selected { choose(item) }
  }
}

extension DraftsModel {
  /// Goes on with what is selected.
  package func choose() { chooseSelected(choose) }
}

import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// A whole market on a screen of any size, with a repository that answers when the test does.
struct Stage {
  let repository: GatedProductRepository
  let clock = ManualClock()
  let navigator: Navigator
  private let keyboard = Keyboard()
  /// When frames are drawn: a day after the youngest sample product.
  static let now = Timestamp(seconds: 1_700_086_400)

  init(
    _ arrangement: BrowserModel.Arrangement = .list,
    repository: GatedProductRepository = GatedProductRepository(), sells: Bool = false,
    drafts: FakeDrafts = FakeDrafts(), accounts: FakeAccounts = FakeAccounts(),
    photos: FakePhotoImporter = FakePhotoImporter(),
    reach: ReachabilityMonitor = ReachabilityMonitor(), samplePassword: String? = nil,
    pictures: any PictureLoader = NoPictures(), marketName: SafeText? = nil,
    marketAddress: SafeText? = nil, changes: (any ChangeSource)? = nil,
    seen: (any ProductCache)? = nil, receiver: (any PhotoReceiver)? = nil
  ) {
    self.repository = repository
    navigator = Navigator(
      browser: BrowserModel(
        repository: repository, seen: seen, changes: changes, arrangement: arrangement,
        pageSize: 20, clock: clock, jitter: .fixed(0)),
      gallery: PictureGallery(loader: pictures), marketName: marketName,
      marketAddress: marketAddress,
      selling: sells
        ? .sample(
          repository, drafts: drafts, accounts: accounts, photos: photos, clock: clock,
          reach: reach,
          samplePassword: samplePassword, receiver: receiver) : nil,
      clock: clock, now: { Self.now })
  }

  var browser: BrowserModel { navigator.browser }
  /// What stands in the form that is open.
  var form: ProductForm? { navigator.selling?.form?.form }

  /// Starts and answers with these products, which are all there are unless `next` says otherwise.
  func show(_ products: [Product], next: PagePosition? = nil) async throws {
    browser.start()
    try await repository.pages.next().answer(
      ProductPage(products: products, total: .exactly(products.count), next: next))
    await until { !browser.feed.isStale && browser.capabilities != nil }
  }

  /// Answers for the seller's own products, of which all are for sale: each group is asked for.
  func answerOwn(_ page: ProductPage) async throws {
    try await repository.pages.next().answer(page)
    for _ in 0..<2 { try await repository.pages.next().answer(ProductPage.nothing) }
  }

  /// Makes it known that the seller of number 7 sells from here.
  func signIn() async throws {
    let signing = Task { await navigator.selling?.start() }
    try await repository.sellers.next().answer(Seller(id: Seller.ID(rawValue: 7), name: "하나"))
    await signing.value
  }

  var top: any Layer { navigator.stack.top }

  /// Waits until what was answered has led on.
  func settle() async { await until { !navigator.stack.isTurning } }

  /// The same, also for what waits behind it.
  func rest() async { await until { !navigator.stack.isTurning && keyboard.isAtRest } }

  /// Lets the 150 ms without a key pass for which letters are dropped behind a refused dialog.
  func pauseTyping() async throws {
    while navigator.refusedTyping.isDropping {
      let sleeps = clock.sleeps(of: .milliseconds(150))
      try await sleeps.next().answer(())
      await until { !navigator.refusedTyping.isDropping || sleeps.untakenCount > 0 }
    }
  }

  func screen(
    _ columns: Int, _ rows: Int, _ language: Language = .korean,
    pictures: PictureStyle = .cells(.quadrant), theme: Theme = Theme(.dark, strikesThrough: true),
    keys: CustomKeyBindings = CustomKeyBindings()
  ) -> Window {
    var context = RenderContext(
      theme: theme, strings: Strings(language), pictures: pictures, now: Self.now)
    context.keys = keys
    let window = Window(
      navigator: navigator, size: CellSize(columns: columns, rows: rows), context: context)
    window.layOut()
    return window
  }

  /// The rows of the screen without the blanks at their ends.
  func lines(
    _ columns: Int, _ rows: Int, _ language: Language = .korean,
    pictures: PictureStyle = .cells(.quadrant), theme: Theme = Theme(.dark, strikesThrough: true)
  ) -> [String] {
    screen(columns, rows, language, pictures: pictures, theme: theme).draw().lines.map {
      String($0.reversed().drop { $0 == " " }.reversed())
    }
  }

  func press(_ keys: KeyPress..., columns: Int = 80, rows: Int = 24) {
    type(keys.map(InputEvent.key), columns: columns, rows: rows)
  }

  /// Has events come at once, as the program takes them.
  func type(
    _ events: [InputEvent], columns: Int = 80, rows: Int = 24, _ language: Language = .korean
  ) {
    keyboard.type(events, on: navigator.stack) { screen(columns, rows, language).handleInput($0) }
  }

  func click(
    _ column: Int, _ row: Int, by button: MouseEvent.Button = .left, columns: Int = 80,
    rows: Int = 24
  ) {
    let event = MouseEvent(.press, by: button, at: CellPoint(column: column, row: row))
    screen(columns, rows).handle(.mouse(event))
  }
}

/// Input of a test, which waits where the program's waits.
private final class Keyboard {
  @Observed private var queue = InputQueue()
  private var isWaiting = false

  var isAtRest: Bool { queue.isEmpty }

  func type(
    _ events: [InputEvent], on stack: LayerStack,
    take: @escaping @MainActor (InputQueue.Input) -> [KeyPress]
  ) {
    for event in events { queue.append(event) }
    while let input = queue.next(for: stack) { queue.prepend(take(input)) }
    guard !queue.isEmpty, !isWaiting else { return }
    isWaiting = true
    observing {
      _ = (stack.isTurning, stack.isLoading)
    } onChange: {
      Task { @MainActor in
        self.isWaiting = false
        self.type([], on: stack, take: take)
      }
    }
  }
}

extension Window {
  /// Handles an event as if nothing waited.
  func handle(_ event: InputEvent) {
    var queue = InputQueue()
    queue.append(event)
    while let input = queue.next(for: navigator.stack) { queue.prepend(handleInput(input)) }
  }
}

/// The widths at which every view is looked at.
nonisolated let everyWidth = [20, 40, 80, 120, 240]

extension String {
  /// The columns before the first place of a text; past the end where it is missing.
  nonisolated func columns(before text: String) -> Int {
    SafeText(String(self[..<(range(of: text)?.lowerBound ?? endIndex)])).columns
  }

  nonisolated private func range(of text: String) -> Range<String.Index>? { ranges(of: text).first }
}

import MarketViewModels
import Testing

@Suite(.timeLimit(.minutes(1))) struct ViewStateModelTests {
  /// A store in memory that counts its changes.
  private actor Store: ViewStateStore {
    private var saved = ViewState()
    private(set) var changes = 0

    func look() -> ViewState { saved }

    func change(_ change: @escaping @Sendable (inout ViewState) -> Void) {
      change(&saved)
      changes += 1
    }
  }

  @Test func `what is chosen counts at once, and is kept without what others chose`() async {
    let store = Store()
    let book = ViewStateModel(store: store)
    await store.change { $0.cardColumns = 48 }

    book.choose(.list, for: \.arrangement)

    #expect(book.look.arrangement == .list)
    await book.finish()
    #expect(await store.look().arrangement == .list)
    #expect(await store.look().cardColumns == 48)
  }

  @Test func `the divider moves while it is held, and its last place is kept`() async {
    let store = Store()
    let book = ViewStateModel(store: store)
    #expect(!book.dragDivider(to: ListWidthFraction(50, of: 120)))

    book.grabDivider()
    #expect(book.dragDivider(to: ListWidthFraction(60, of: 120)))
    #expect(book.dragDivider(to: ListWidthFraction(70, of: 120)))
    await book.finish()
    #expect(await store.changes == 0)
    book.releaseDivider()
    book.releaseDivider()

    #expect(!book.dragDivider(to: ListWidthFraction(50, of: 120)))
    #expect(book.look.listWidthFraction == ListWidthFraction(70, of: 120))
    await book.finish()
    #expect(await store.changes == 1)
    #expect(await store.look().listWidthFraction == ListWidthFraction(70, of: 120))
  }

  @Test(arguments: [120, 133, 160, 999])
  func `a part of a width gives back every column`(width: Int) {
    for columns in 0...width {
      #expect(ListWidthFraction(columns, of: width).columns(of: width) == columns)
    }
  }

  @Test func `a part of nothing is nothing, and none is more than all`() {
    #expect(ListWidthFraction(5, of: 0).columns(of: 100) == 0)
    #expect(ListWidthFraction(parts: .max).columns(of: 100) == 100)
    #expect(ListWidthFraction(parts: .min).columns(of: 100) == 0)
  }
}

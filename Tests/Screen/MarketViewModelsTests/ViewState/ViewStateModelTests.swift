import Expectations
import MarketViewModels
import Testing

struct ViewStateModelTests {
  /// A store in memory that counts its changes.
  private actor Store: ViewStateStore {
    private var saved = ViewState()
    private(set) var changes = 0

    func load() -> ViewState { saved }

    func keep(_ chosen: ViewState) {
      saved.cardColumns = chosen.cardColumns ?? saved.cardColumns
      saved.listWidthFraction = chosen.listWidthFraction ?? saved.listWidthFraction
      saved.arrangement = chosen.arrangement ?? saved.arrangement
      changes += 1
    }
  }

  @Test func `what is chosen counts at once, and is kept without what others chose`() async {
    let store = Store()
    let viewState = ViewStateModel(store: store)
    var other = ViewState()
    other.cardColumns = 48
    await store.keep(other)

    viewState.choose(.list, for: \.arrangement)

    expect(viewState.viewState.arrangement, .list)
    await viewState.finish()
    await expect(store.load().arrangement, .list)
    await expect(store.load().cardColumns, 48)
  }

  @Test func `the divider moves while it is held, and its last place is kept`() async {
    let store = Store()
    let viewState = ViewStateModel(store: store)
    #expect(!viewState.dragDivider(to: ListWidthFraction(50, of: 120)))

    viewState.grabDivider()
    #expect(viewState.dragDivider(to: ListWidthFraction(60, of: 120)))
    #expect(viewState.dragDivider(to: ListWidthFraction(70, of: 120)))
    await viewState.finish()
    await expect(store.changes, 0)
    viewState.releaseDivider()
    viewState.releaseDivider()

    #expect(!viewState.dragDivider(to: ListWidthFraction(50, of: 120)))
    expect(viewState.viewState.listWidthFraction, ListWidthFraction(70, of: 120))
    await viewState.finish()
    await expect(store.changes, 1)
    await expect(store.load().listWidthFraction, ListWidthFraction(70, of: 120))
  }

  @Test(arguments: [120, 133, 160, 999])
  func `a part of a width gives back every column`(width: Int) {
    for columns in 0...width {
      expect(ListWidthFraction(columns, of: width).columns(of: width), columns)
    }
  }

  @Test func `a part of nothing is nothing, and none is more than all`() {
    expect(ListWidthFraction(5, of: 0).columns(of: 100), 0)
    expect(ListWidthFraction(parts: .max).columns(of: 100), 100)
    expect(ListWidthFraction(parts: .min).columns(of: 100), 0)
  }
}

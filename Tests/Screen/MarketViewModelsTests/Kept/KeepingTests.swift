import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// The stars of products, and what is told of them to the book.
@Suite(.timeLimit(.minutes(1))) struct KeepingTests {
  private let market = KeptMarket(key: .local, name: nil, place: nil)

  private func keeping(_ book: FakePersonalBook) -> Keeping {
    let keeping = Keeping()
    keeping.book = book
    return keeping
  }

  private func id(_ number: Int64) -> Product.ID { Product.ID(rawValue: number) }

  private func isKept(_ number: Int64, _ keeping: Keeping) -> Bool {
    keeping.isKept(KeptKey(.product(id(number)), in: .local))
  }

  /// Keeps a product or lets it go, and waits for what is told.
  private func toggle(_ number: Int64, _ keeping: Keeping) async {
    var isTold = false
    keeping.toggle(.sample(id: number), description: nil, of: market) { _ in isTold = true }
    await poll { isTold }
  }

  @Test func `a star that cannot be kept goes again`() async {
    let keeping = keeping(FakePersonalBook(isFull: true))

    await toggle(1, keeping)

    #expect(!isKept(1, keeping))
  }

  @Test func `a star that cannot be taken away stays`() async {
    let book = FakePersonalBook()
    let keeping = keeping(book)
    await toggle(1, keeping)
    await book.fill()

    await toggle(1, keeping)

    #expect(isKept(1, keeping))
  }

  @Test func `a star that is set while all are read anew is not lost`() async {
    let keeping = keeping(FakePersonalBook())
    await toggle(1, keeping)

    keeping.reload()
    await Task.yield()
    await toggle(2, keeping)
    for _ in 0..<20 { await Task.yield() }

    #expect(isKept(1, keeping) && isKept(2, keeping))
  }

  @Test func `what a market does not have is gone, but not what had no room in its answer`() async {
    let book = FakePersonalBook()
    let keeping = keeping(book)
    for number: Int64 in 1...2 { await toggle(number, keeping) }
    let ids = [id(1), id(2)]
    let cut = ProductPage(
      products: [.sample(id: 1)], total: .unknown, next: .after(PageCursor(rawValue: "1")))

    await keeping.didHear(cut, of: ids, in: .local)
    #expect(await book.keptNow.allSatisfy { $0.gone == nil })
    await keeping.didHear(.sample([1]), of: ids, in: .local)

    #expect(await book.keptNow.filter { $0.gone != nil }.map(\.product.id) == [id(2)])
  }

  @Test func `what is scrolled by is told at once, then twice a second at most`() async {
    let clock = ManualClock()
    let book = FakePersonalBook()
    let keeping = Keeping(clock: clock)
    keeping.book = book
    func names() async -> Set<String> { Set(await book.keptNow.map(\.product.name)) }
    let rests = clock.sleeps(of: .milliseconds(500))
    for number: Int64 in 1...2 { await toggle(number, keeping) }
    // What was kept first was told at once.
    let rest = await rests.next()

    keeping.didSee([.sample(id: 1, name: "seen")], in: .local)
    keeping.didSee([.sample(id: 2, name: "seen, and lost")], in: .local)
    keeping.didLose([id(2)], in: .local)
    for _ in 0..<20 { await Task.yield() }
    #expect(await names() == ["Product 1", "Product 2"])
    rest.answer(())
    _ = await rests.next()

    #expect(await names() == ["seen", "Product 2"])
    #expect(await book.keptNow.filter { $0.gone != nil }.map(\.product.id) == [id(2)])
  }
}

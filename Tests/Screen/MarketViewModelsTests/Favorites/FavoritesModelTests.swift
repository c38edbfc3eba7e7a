import Expectations
import MarketModel
import PersonalStore
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// The stars of products, and what is told of them to the book.
struct FavoritesModelTests {
  private let market = FavoriteMarket(key: .local, name: nil, location: nil)

  private func favoriteChanged(
    _ store: PersonalFile, clock: any Clock<Duration> = ContinuousClock()
  ) -> FavoritesModel {
    let personal = PersonalData()
    personal.store = store
    return FavoritesModel(of: personal, clock: clock)
  }

  private func id(_ number: Int64) -> Product.ID { Product.ID(rawValue: number) }

  private func isFavorite(_ number: Int64, _ favorites: FavoritesModel) -> Bool {
    favorites.isFavorite(FavoriteKey(.product(id(number)), in: .local))
  }

  /// Keeps a product or lets it go, and waits for what is told.
  private func toggle(_ number: Int64, _ favorites: FavoritesModel) async {
    _ = await favorites.toggle(.sample(id: number), description: nil, of: market)
  }

  @Test func `a star that cannot be kept goes again`() async {
    var limits = PersonalFile.Limits()
    limits.products = 0
    let favorites = favoriteChanged(.inMemory(limits: limits))

    await toggle(1, favorites)

    #expect(!isFavorite(1, favorites))
  }

  @Test func `a star that cannot be taken away stays`() async {
    let store = PersonalFile.inMemory()
    let favorites = favoriteChanged(store)
    await toggle(1, favorites)
    await store.close()

    await toggle(1, favorites)

    #expect(isFavorite(1, favorites))
  }

  @Test func `a star that is set while all are read anew is not lost`() async {
    let store = PersonalFile.inMemory()
    let favorites = favoriteChanged(store)
    await toggle(1, favorites)

    favorites.reload()
    await Task.yield()
    await toggle(2, favorites)
    await store.settle()

    #expect(isFavorite(1, favorites) && isFavorite(2, favorites))
  }

  @Test func `what a market does not have is gone, but not what had no room in its answer`() async {
    let store = PersonalFile.inMemory()
    let favorites = favoriteChanged(store)
    for number: Int64 in 1...2 { await toggle(number, favorites) }
    let ids = [id(1), id(2)]
    let cut = ProductPage(
      products: [.sample(id: 1)], total: .unknown, next: .after(PageCursor(rawValue: "1")))

    await favorites.didReceive(cut, of: ids, in: .local)
    #expect(await store.favoritesNow.allSatisfy { $0.gone == nil })
    await favorites.didReceive(.sample([1]), of: ids, in: .local)

    await expect(store.favoritesNow.filter { $0.gone != nil }.map(\.product.id), [id(2)])
  }

  @Test func `what is scrolled by is told at once, then twice a second at most`() async throws {
    let clock = ManualClock()
    let store = PersonalFile.inMemory()
    let favorites = favoriteChanged(store, clock: clock)
    func names() async -> Set<String> { Set(await store.favoritesNow.map(\.product.name)) }
    let rests = clock.sleeps(of: .milliseconds(500))
    for number: Int64 in 1...2 { await toggle(number, favorites) }
    // What was kept first was told at once.
    let rest = try await rests.next()

    favorites.didSee([.sample(id: 1, name: "seen")], in: .local)
    favorites.didSee([.sample(id: 2, name: "seen, and lost")], in: .local)
    favorites.didLose([id(2)], in: .local)
    await store.settle()
    await expect(names(), ["Product 1", "Product 2"])
    rest.answer(())
    _ = try await rests.next()

    await expect(names(), ["seen", "Product 2"])
    await expect(store.favoritesNow.filter { $0.gone != nil }.map(\.product.id), [id(2)])
  }
}

import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct DetailModelTests {
  private let repository = GatedProductRepository(answersCancelledCalls: false)
  private let clock = ManualClock()
  private var delays: Gate<Duration, Void> { clock.sleeps(of: .milliseconds(120)) }

  private func makeDetail() -> DetailModel { DetailModel(repository: repository, clock: clock) }

  private func product(_ id: Int64) -> ListedProduct {
    ListedProduct(
      .sample(id: id, thumbnail: Picture(original: "\(id)-1", thumbnail: "\(id)-small")))
  }

  private func answer(_ id: Int64, pictures: Int = 3) -> ProductDetail {
    .sample(
      of: .sample(id: id), description: "Text of \(id)",
      pictures: (0..<pictures).map { Picture(original: "\(id)-\($0)", thumbnail: "\(id)-\($0)") })
  }

  /// A detail that shows this product.
  private func detail(showing id: Int64) async throws -> DetailModel {
    let detail = makeDetail()
    detail.show(product(id))
    try await repository.details.next().answer(answer(id))
    await until { detail.isLoaded(id) }
    return detail
  }

  @Test func `a product that is opened is read at once, with its row shown meanwhile`() async throws
  {
    let detail = makeDetail()

    detail.show(product(7))
    let call = try await repository.details.next()

    expect(detail.phase, .loading(product(7)))
    expect(detail.pictures.map(\.thumbnail), ["7-small"])
    expect(call.request.rawValue, 7)
    expect(delays.callCount, 0)
  }

  @Test func `a product that is gone shows what is known of it, also where it was shown before`()
    async throws
  {
    let detail = try await detail(showing: 7)

    detail.hold(product(7), known: answer(7, pictures: 1))
    let call = try await repository.details.next()
    #expect(detail.isLoaded(7) && detail.pictures.count == 1)
    call.fail(.notFound)
    await until { detail.news == .deleted }

    #expect(detail.isLoaded(7) && detail.pictures.count == 1)
  }

  @Test func `a detail follows when the selection has rested on a product`() async throws {
    let detail = try await detail(showing: 1)

    detail.follow(product(2))
    let delay = try await delays.next()
    #expect(detail.isLoaded(1))
    delay.answer(())
    try await repository.details.next().answer(answer(2))
    await until { detail.isLoaded(2) }

    expect(delay.request, .milliseconds(120))
  }

  @Test func `a detail that follows soon is shown without its row, a late one with it meanwhile`()
    async throws
  {
    let detail = try await detail(showing: 1)
    let graces = clock.sleeps(of: .milliseconds(50))
    detail.follow(product(2))
    try await delays.next().answer(())
    let call = try await repository.details.next()
    let grace = try await graces.next()
    #expect(detail.isLoaded(1))

    grace.answer(())
    await until { detail.phase == .loading(product(2)) }
    call.answer(answer(2))
    await until { detail.isLoaded(2) }
  }

  @Test func `the next move takes the one before back`() async throws {
    let detail = try await detail(showing: 1)
    detail.follow(product(2))
    let passed = try await delays.next()

    detail.follow(product(3))
    try await delays.next().answer(())
    let call = try await repository.details.next()

    #expect(passed.isCancelled)
    expect(call.request.rawValue, 3)
  }

  @Test func `a late answer about another product is dropped`() async throws {
    let detail = makeDetail()
    detail.show(product(1))
    let early = try await repository.details.next()
    detail.show(product(2))
    let late = try await repository.details.next()

    late.answer(answer(2))
    await until { detail.isLoaded(2) }
    early.answer(answer(1))
    detail.reload()
    try await repository.details.next().answer(answer(2, pictures: 1))
    await until { detail.pictures.count == 1 }

    #expect(early.isCancelled)
    #expect(detail.isLoaded(2))
  }

  @Test func `where no detail is shown none is read`() async throws {
    let detail = makeDetail()

    detail.follow(product(1))
    detail.setShown(true, selected: product(2))
    let call = try await repository.details.next()

    expect(call.request.rawValue, 2)
    expect(repository.details.callCount, 1)
    expect(delays.callCount, 0)
  }

  @Test func `hiding the detail takes back what is on its way`() async throws {
    let detail = makeDetail()
    detail.show(product(1))
    let call = try await repository.details.next()

    detail.setShown(false, selected: nil)

    #expect(call.isCancelled)
  }

  @Test func `pictures are turned within their ends, and each product begins at its first`()
    async throws
  {
    let detail = try await detail(showing: 1)

    for _ in 0..<9 { detail.showNextPicture() }
    expect(detail.pictureIndex, 2)
    detail.showPreviousPicture()
    expect(detail.pictureIndex, 1)
    detail.show(product(2))

    expect(detail.pictureIndex, 0)
  }

  @Test func `a product that is shown again has the picture at which it was left`() async throws {
    let detail = try await detail(showing: 1)
    detail.showNextPicture()
    detail.showNextPicture()

    detail.show(product(2))
    expect(detail.pictureIndex, 0)
    try await repository.details.next().answer(answer(2))
    await until { detail.isLoaded(2) }
    detail.show(product(1))
    expect(detail.shownPicture, nil)
    try await repository.details.next().answer(answer(1))
    await until { detail.isLoaded(1) }

    expect(detail.shownPicture?.original, "1-2")
  }

  @Test func `a product that has fewer pictures by now shows its last, a failed one its thumbnail`()
    async throws
  {
    let detail = try await detail(showing: 1)
    detail.showPicture(at: 2)

    detail.reload()
    try await repository.details.next().answer(answer(1, pictures: 2))
    await until { detail.pictures.count == 2 }
    expect(detail.pictureIndex, 1)
    detail.show(product(2))
    try await repository.details.next().answer(answer(2))
    await until { detail.isLoaded(2) }
    detail.show(product(1))
    try await repository.details.next().fail(.unreachable(.timedOut))
    await until { if case .failed = detail.phase { true } else { false } }

    expect(detail.shownPicture?.thumbnail, "1-small")
  }

  @Test func `of two hundred products it is known which picture was shown`() async {
    let detail = makeDetail()
    for id in 1...201 as ClosedRange<Int64> {
      detail.showLoaded(answer(id))
      detail.showNextPicture()
    }

    detail.showLoaded(answer(2))
    expect(detail.pictureIndex, 1)
    detail.showLoaded(answer(1))

    expect(detail.pictureIndex, 0)
  }

  @Test func `the text scrolls no further than its end`() async throws {
    let detail = try await detail(showing: 1)

    detail.scroll(by: 50, limit: 8)
    expect(detail.scrolledLines, 8)
    detail.scroll(by: -1, limit: 4)
    expect(detail.scrolledLines, 3)
    detail.scroll(by: -50, limit: 8)

    expect(detail.scrolledLines, 0)
  }

  @Test func `a failure keeps the product, and a retry reads it again`() async throws {
    let detail = makeDetail()
    detail.show(product(1))
    try await repository.details.next().fail(.unreachable(.timedOut))
    await until { detail.phase == .failed(product(1), .unreachable(.timedOut)) }

    detail.reload()
    try await repository.details.next().answer(answer(1))
    await until { detail.isLoaded(1) }

    expect(detail.pictures.count, 3)
  }

  @Test func `a slow detail says that it is on its way, until it comes`() async throws {
    let detail = makeDetail()
    detail.show(product(1))

    try await clock.sleeps(of: .milliseconds(150)).next().answer(())
    await until { detail.spinner.isShown }
    try await repository.details.next().answer(answer(1))
    await until { !detail.spinner.isShown }

    #expect(detail.isLoaded(1))
  }

  @Test func `with nothing to follow nothing is shown`() async throws {
    let detail = try await detail(showing: 1)

    detail.clear()

    expect(detail.phase, .empty)
    #expect(detail.pictures.isEmpty)
  }
}

extension DetailModel {
  fileprivate func isLoaded(_ id: Int64) -> Bool {
    guard case .loaded(let loaded) = phase else { return false }
    return loaded.product.id.rawValue == id
  }
}

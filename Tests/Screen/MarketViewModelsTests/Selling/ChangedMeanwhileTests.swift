import EditorKit
import Expectations
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// An edit whose product others change before it is sent.
struct ChangedMeanwhileTests {
  private let stage = SellingStage()

  private func change(
    _ kind: ProductChange.Kind = .changed, _ id: Int64 = 7, version: String = "2"
  ) -> ProductChange {
    ProductChange(
      id: Product.ID(rawValue: id), kind: kind, version: ProductVersion(rawValue: version),
      seller: Seller.guest.id)
  }

  private func detail(_ name: String, version: String) -> ProductDetail {
    .sample(of: .sample(id: 7, name: name), version: ProductVersion(rawValue: version))
  }

  /// A form that was told of a change, which is this.
  private func formThatLearned(of theirs: ProductDetail) async throws -> TestSeller {
    let seller = try await stage.editing()
    seller.selling.didSee(change())
    try await stage.repository.details.next().answer(theirs)
    await until { seller.formModel?.meanwhile != nil }
    return seller
  }

  @Test func `a form learns of a change, and shows both versions when it is asked to`() async throws
  {
    let theirs = detail("Bike", version: "2")
    let seller = try await formThatLearned(of: theirs)
    seller.edit { $0.write(" of mine", in: .name) }

    seller.formModel?.compare()
    await seller.settle()
    let conflict = seller.conflict
    conflict?.resolve()
    await seller.settle()
    await seller.settle()

    expect(conflict?.conflict.rows, [Conflict.Row(field: .name, keepsMine: true)])
    expect(seller.form?.purpose, .edit(theirs))
    expect(seller.form?.name.text, "Bicycle of mine")
    expect(seller.formModel?.meanwhile, nil)
  }

  @Test func `versions that say the same need no choice`() async throws {
    let seller = try await formThatLearned(of: detail("Bicycle", version: "2"))

    seller.formModel?.compare()
    await seller.settle()

    #expect(seller.conflict == nil)
    expect(seller.notices, [.hint(.sameByNow)])
    expect(seller.formModel?.meanwhile, nil)
  }

  @Test func `late news of what the form began with are no news`() async throws {
    let seller = try await stage.editing()

    seller.selling.didSee(change(version: "0"))
    try await stage.repository.details.next().answer(detail("Bicycle", version: "1"))
    seller.selling.didSee(change(version: "1"))
    seller.selling.didSee(change(.deleted, 8))
    for _ in 0..<50 { await Task.yield() }

    expect(seller.formModel?.meanwhile, nil)
    expect(stage.repository.details.untakenCount, 0)
  }

  @Test func `however often the product changes it is read once at a time`() async throws {
    let seller = try await stage.editing()

    for version in 2..<100 { seller.selling.didSee(change(version: String(version))) }
    let first = try await stage.repository.details.next()
    let others = stage.repository.details.untakenCount
    first.answer(detail("Bike", version: "50"))
    try await stage.repository.details.next().answer(detail("Trike", version: "99"))
    await until { seller.formModel?.meanwhile == .changed(detail("Trike", version: "99")) }

    expect(others, 0)
    expect(stage.repository.details.untakenCount, 0)
  }

  @Test func `a form learns that its product was deleted`() async throws {
    let seller = try await stage.editing()

    seller.selling.didSee(change(.deleted))

    expect(seller.formModel?.meanwhile, .deleted)
  }

  @Test func `the prompt for a password learns of both`() async {
    let seller = stage.makeSeller()
    seller.selling.delete(stage.product)

    seller.selling.didSee(change())
    let first = seller.prompt?.news
    seller.selling.didSee(change(.deleted))
    seller.selling.didSee(change())

    expect(first, .changed)
    expect(seller.prompt?.news, .deleted)
  }
}

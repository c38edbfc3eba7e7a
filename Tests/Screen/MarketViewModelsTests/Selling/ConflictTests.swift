import Expectations
import MarketModel
import MarketViewModels
import TestSupport
import Testing

struct ConflictTests {
  private let before = ProductDetail.sample(of: .sample(name: "Bicycle", price: 100, stock: 3))
  private let theirs = ProductDetail.sample(
    of: .sample(name: "Bicycle, red", price: 90, stock: 3), version: ProductVersion(rawValue: "2"))

  private func conflict() -> Conflict {
    var form = ProductForm(.edit(before), capabilities: .full)
    form.write(" (sold)", in: .name)
    form.write("0", in: .stock)
    return Conflict(mine: form, theirs: theirs)
  }

  @Test func `only fields that differ are asked about, one's own changes chosen first`() {
    let conflict = conflict()

    expect(
      conflict.rows,
      [
        Conflict.Row.sample(.name, keepsMine: true),
        Conflict.Row.sample(.price, keepsMine: false),
        Conflict.Row.sample(.stock, keepsMine: true),
      ])
  }

  @Test func `what is resolved changes only what was chosen, over the new version`() {
    var conflict = conflict()
    conflict.toggle()

    let form = conflict.resolved()

    expect(form.patch(), ProductPatch(stock: 30))
    expect(form.purpose, .edit(theirs))
  }
}

extension Conflict.Row {
  fileprivate static func sample(_ field: ProductField, keepsMine: Bool) -> Self {
    Conflict.Row(field: field, keepsMine: keepsMine)
  }
}

import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

/// Every field of a product goes through every dialect in all directions, unless the dialect says that
/// it has no words for it.
struct FieldLawTests {
  private let author = Author.seller(Wire.identifier)

  /// A value of each field that has values, none of which anything has by itself.
  private let values = FieldValues(
    uniqueKeysWithValues: ProductField.allCases.compactMap { field in
      Self.value(of: field.kind, isDiscount: field == .discount).map { (field, $0) }
    })

  private static func value(of kind: FieldKind, isDiscount: Bool) -> FieldValue? {
    switch kind {
    case .line, .text: .text("A text of its own.")
    case .flag: .yes
    case .amount: .amount(isDiscount ? 700_00 : 42_000_00)
    case .number: .number(7)
    case .currency: .code("USD")
    case .choice(let names): names.last.map { .code($0) }
    case .pictures, .password: nil
    }
  }

  private var registration: ProductRegistration {
    ProductRegistration(values, pictures: [Wire.jpeg, Wire.png], password: Password("pw"))
  }

  private let picture = Picture(number: 3, original: "aa", thumbnail: "aa-small")

  private var detail: ProductDetail {
    var detail = ProductDetail.sample(of: .sample(id: 8))
    detail.set(values)
    detail.pictures = [picture]
    detail.product.thumbnail = picture
    return detail
  }

  @Test(arguments: Wire.dialects, ProductField.allCases)
  func `a registration carries it`(_ dialect: any MarketDialect, _ field: ProductField) throws {
    let request = try dialect.request(for: .register(registration, author, nil))
    guard case .register(let read, _, _) = try dialect.operation(from: request) else {
      Issue.record("no registration")
      return
    }

    let isCarried = !dialect.fieldsNotCarried.contains(field)
    switch field {
    case .pictures: expect(read.pictures == registration.pictures, isCarried)
    case .password:
      expect(read.password.comparable == registration.password.comparable, isCarried)
    default:
      #expect(registration[field] == values[field] && values[field] != nil)
      expect(read[field] == values[field], isCarried)
    }
  }

  @Test(arguments: Wire.dialects, ProductField.allCases)
  func `an edit carries it`(_ dialect: any MarketDialect, _ field: ProductField) throws {
    var old = ProductDetail.sample(of: .sample(id: 8))
    old.pictures = [picture]
    let price = try #require(old.product.pricing.price)
    var patch = ProductPatch(pictures: .list([.new(Wire.jpeg)]))
    patch.set(values)
    let update = ProductUpdate(
      id: old.id, patch: try dialect.patch(patch, changing: price), password: Password("pw"),
      author: author)

    let request = try dialect.request(for: .update(update))
    guard case .update(let read) = try dialect.operation(from: request) else {
      Issue.record("no edit")
      return
    }

    var changed = old
    changed.change(by: read.patch)
    let isCarried = !dialect.fieldsNotCarried.contains(field)
    switch field {
    case .pictures: expect(read.patch.pictures == patch.pictures, isCarried)
    case .password: expect(read.password.comparable == "pw", isCarried)
    default:
      #expect(old[field] != values[field])
      expect(changed[field] == values[field], isCarried)
    }
  }

  @Test(arguments: Wire.dialects, ProductField.valued)
  func `an edit of one field changes that and nothing else`(
    _ dialect: any MarketDialect, _ field: ProductField
  ) throws {
    let price = try #require(detail.product.pricing.price)
    var patch = ProductPatch()
    patch.set([field: FieldValues.plain[field]].compactMapValues(\.self))
    let update = ProductUpdate(
      id: detail.id, patch: try dialect.patch(patch, changing: price), password: Password("pw"),
      author: author)

    let operation = try dialect.operation(from: try dialect.request(for: .update(update)))

    var changed = detail
    if case .update(let read) = operation { changed.change(by: read.patch) }
    var expected = detail
    if !dialect.fieldsNotCarried.contains(field) { expected.change(by: patch) }
    expect(changed, expected)
    expect(changed == detail, dialect.fieldsNotCarried.contains(field))
  }

  @Test(arguments: Wire.dialects, ProductField.allCases.filter { $0 != .password })
  func `an answer carries it`(_ dialect: any MarketDialect, _ field: ProductField) throws {
    let operation = MarketOperation.detail(detail.id)
    let response = dialect.response(
      with: .detail(detail), to: operation, pictures: Wire.pictures)

    let read = try dialect.detail(from: response, for: operation)

    let isCarried = !dialect.fieldsNotCarried.contains(field)
    if field == .pictures {
      expect(read.pictures.map(\.thumbnail) == [address], isCarried)
    } else {
      expect(read[field] == values[field], isCarried)
    }
  }

  @Test(arguments: Wire.dialects, ProductField.allCases.filter(\.isListed))
  func `a list carries what lists tell`(
    _ dialect: any MarketDialect, _ field: ProductField
  ) throws {
    let request = PageRequest()
    let page = ProductPage(products: [detail.product], total: .exactly(1), next: nil)
    let response = dialect.response(
      with: .page(page), to: .page(request), pictures: Wire.pictures)

    let product = try #require(try dialect.page(from: response, for: request).products.first)
    let read = ProductDetail(product: product, description: "", pictures: [], version: nil)

    expect(read[field] == values[field], !dialect.fieldsNotCarried.contains(field))
  }

  private var address: String { Wire.pictures.address(of: picture, .thumbnail) }
}

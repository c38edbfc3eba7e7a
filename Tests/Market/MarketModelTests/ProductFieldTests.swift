import Expectations
import TestSupport
import Testing

@testable import MarketModel

struct ProductFieldTests {
  private static func values(_ field: ProductField) -> FieldValues {
    [field: FieldSample[field].value].compactMapValues(\.self)
  }

  @Test(arguments: ProductField.valued)
  func `whatever carries products carries every field`(_ field: ProductField) throws {
    let value = try #require(FieldSample[field].value)

    expect(ProductDetail.full()[field], value)
    expect(ProductRegistration.full()[field], value)
    expect(ProductPatch.full()[field], value)
    expect(ArchivedProduct.full[field], value)
  }

  @Test(arguments: ProductField.valued)
  func `a plain product has another value in every field`(_ field: ProductField) throws {
    let plain = try #require(FieldValues.plain[field])

    #expect(plain != FieldSample[field].value)
    #expect(!field.isOptional || plain == field.standard)
  }

  @Test func `archives carry the names of pictures, and nothing carries a password`() {
    expect(ArchivedProduct.full[.pictures], FieldSample[.pictures].value)
    expect(ProductDetail.full()[.pictures], FieldSample[.pictures].value)
    expect(ProductRegistration.full().fieldValues[.password], nil)
  }

  @Test(arguments: ProductField.valued)
  func `a patch of one field changes that and nothing else`(_ field: ProductField) {
    let before = ProductDetail.sample()
    var patch = ProductPatch()
    patch.set(Self.values(field))

    var after = before
    after.change(by: patch)

    expect(patch.fieldValues, Self.values(field))
    expect(after.fieldValues, before.fieldValues.merging(Self.values(field)) { $1 })
    #expect(StorageRules.problems(of: patch, over: before).isEmpty)
  }

  @Test(arguments: ProductField.valued)
  func `a product that differs in one field has another content`(_ field: ProductField) {
    let before = ProductDetail.sample()
    var patch = ProductPatch()
    patch.set(Self.values(field))

    var after = before
    after.change(by: patch)

    #expect(after.content != before.content)
  }

  @Test func `the content of a product stands in the order that drafts know`() {
    let pictures = [Picture(original: "a", thumbnail: "b"), Picture(original: "c", thumbnail: "d")]
    let detail = ProductDetail.sample(
      of: .sample(price: 100, discount: 7, stock: 3), description: "As new.", pictures: pictures)

    #expect(
      detail.content.starts(with: ["Product 1", "As new.", "3", "10000 700 KRW"])
        && detail.content.suffix(2) == ["a", "c"])
  }

  @Test(arguments: ProductField.valued)
  func `a registration describes the product that it makes, and no other`(_ field: ProductField) {
    let registration = ProductRegistration.sample()
    var same = ProductDetail.sample()
    same.set(registration.fieldValues)
    var patch = ProductPatch()
    patch.set(Self.values(field))
    var other = same
    other.change(by: patch)

    #expect(registration.describes(same) && registration.describes(same.product))
    #expect(!registration.describes(other))
    expect(registration.describes(other.product), !field.isListed)
  }

  @Test(arguments: ProductField.valued)
  func `a value of another kind is refused`(_ field: ProductField) throws {
    let value = try #require(FieldSample[field].value)

    expect(field.kind.problem(with: value), nil)
    expect(field.kind.problem(with: .pictures([])), .unreadable)
  }

  @Test func `a choice is one of its names, and may be left unsaid`() {
    let kind = FieldKind.choice(["new", "used"])

    expect(kind.problem(with: .code("used")), nil)
    expect(kind.problem(with: .code("broken")), .unreadable)
    #expect(kind.problem(with: .absent) == nil && FieldValue.absent.texts.isEmpty)
  }

  @Test func `every field has a name of its own in archives`() {
    let others = ["id", "seller", "created", "changed", "version", "passwordHash"]
    let names = ProductField.allCases.map(\.rawValue)

    expect(Set(names + others).count, names.count + others.count)
    #expect(
      ProductField.inArchives.starts(
        with: [.name, .description, .currency, .price, .discount, .stock]))
    expect(ProductField.inArchives.last, .pictures)
  }

  // A property that no field's description carries is as it was in a full sample, or has to be put
  // into the sample by hand.

  @Test func `every stored property of a product is carried`() {
    expect(sameProperties(ProductDetail.full(), .least()), [])
    expect(sameProperties(ProductDetail.full().product, ProductDetail.least().product), [])
  }

  @Test func `every stored property of a registration is carried`() {
    // Passwords show nothing of themselves.
    expect(sameProperties(ProductRegistration.full(), .least()), ["password"])
  }

  @Test func `every stored property of a patch is carried`() {
    expect(sameProperties(ProductPatch.full(), ProductPatch()), [])
  }

  @Test func `every stored property of an archived product is carried`() {
    expect(sameProperties(ArchivedProduct.full, .blank), [])
    expect(sameProperties(ArchivedProduct.full.seller, ArchivedProduct.blank.seller), [])
  }
}

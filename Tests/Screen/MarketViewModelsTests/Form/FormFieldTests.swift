import EditorKit
import Expectations
import MarketModel
import TestSupport
import Testing

@testable import MarketViewModels

/// What a form does for every field of a product, whichever there are.
struct FormFieldTests {
  private static let base = ProductDetail.sample(
    pictures: [Picture(original: "old", thumbnail: "old")])
  /// The fields in the form of a new product, which cannot be reserved.
  private nonisolated static let registered = ProductField.allCases.filter {
    !ProductField.ofListed.contains($0)
  }

  /// The fields of a product that is there; its password is none of them.
  private nonisolated static let edited = ProductField.allCases.filter {
    $0.kind != .password
  }

  private static func submission(_ purpose: SellingPurpose) -> Submission {
    let draft = Draft(
      id: Draft.ID(rawValue: "draft"), target: .registration, key: IdempotencyKey(rawValue: "key"),
      wasSent: true, isWaiting: true, values: FormValues(), changed: Timestamp(seconds: 0))
    return Submission(purpose, draft: draft) { "token" }
  }

  private func edit(of field: ProductField) -> ProductForm {
    var form = ProductForm(.edit(Self.base), capabilities: .full)
    form.enterSample(of: field)
    return form
  }

  private func filled() -> ProductForm {
    var form = ProductForm(.registration, capabilities: .full)
    for field in ProductField.allCases { form.enterSample(of: field) }
    return form
  }

  @Test(arguments: registered)
  func `what stands in a field is registered`(_ field: ProductField) throws {
    let registration = try #require(filled().registration())

    switch field.kind {
    case .pictures: expect(registration.pictures.count, 2)
    case .password: expect(registration.password.byteCount, FieldSample[field].text.count)
    default: expect(registration[field], FieldSample[field].value)
    }
  }

  @Test(arguments: edited)
  func `a field that is changed is sent, and no other`(_ field: ProductField) {
    let form = edit(of: field)
    let patch = form.patch()

    expect(form.changedFields, [field])
    expect(Set(patch.fieldValues.keys), Set([field].filter { $0 != .pictures }))
    #expect(field == .pictures || patch[field] == FieldSample[field].value)
    expect(patch.pictures != nil, field == .pictures)
  }

  @Test(arguments: edited)
  func `what a product has stands in its field`(_ field: ProductField) {
    let product = ProductDetail.full()
    var form = ProductForm(.edit(Self.base), capabilities: .full)
    form.enterSample(of: .currency)
    form.enterSample(of: field)

    let shown = ProductForm(.edit(product), capabilities: .full).values

    if field == .pictures {
      expect(shown.photos.count, product.pictures.count)
    } else {
      expect(shown.value(of: field), form.values.value(of: field))
    }
  }

  @Test(arguments: registered)
  func `a draft brings a field back, and the place of its caret`(_ field: ProductField) {
    var form = filled()
    form.focus(field)
    form.edit(TextChange { $0.move(.left) })
    let draft = Draft(of: form, for: Self.submission(.registration), at: Timestamp(seconds: 1))

    var next = ProductForm(.registration, capabilities: .full)
    next.restore(draft)

    #expect(next.values == form.values && next.focus == field)
    expect(next[field].caret, form[field].caret)
    expect(next[field].text, form[field].text)
    #expect(next.password.isEmpty)
  }

  @Test(arguments: edited)
  func `the draft of an edit brings back what it changes, over the product as it is`(
    _ field: ProductField
  ) {
    let form = edit(of: field)
    let draft = Draft(of: form, for: Self.submission(.edit), at: Timestamp(seconds: 1))

    var next = ProductForm(.edit(Self.base), capabilities: .full)
    next.restore(draft)

    expect(draft.changedFields, [field])
    #expect(next.values == form.values && next.changedFields == [field])
  }

  @Test func `every stored property of a draft is kept`() {
    var form = ProductForm(.edit(.full()), capabilities: .full)
    for field in Self.edited { form.enterSample(of: field) }
    form.enterSample(of: .name)
    form.focus(.stock)

    let draft = Draft(of: form, for: Self.submission(.edit), at: Timestamp(seconds: 9))

    let least = Draft(
      id: Draft.ID(rawValue: ""), target: .registration, key: IdempotencyKey(rawValue: ""),
      values: FormValues(), changed: Timestamp(seconds: 0))
    // Only what is kept as a template has a name.
    expect(sameProperties(draft, least), ["templateName"])
    expect(sameProperties(draft.values, FormValues()), [])
    for field in Self.ofProduct { #expect(draft.values[field] != FormValues()[field]) }
  }

  @Test func `a new product takes over only photos that were read`() {
    let kept = FormPhoto(kept: Picture(original: "original", thumbnail: "thumbnail"))
    let read = FormPhoto(
      id: FormPhoto.ID(rawValue: "photo:a"), name: "a.jpg",
      content: .ready(PreparedPhoto(bytes: [1], fileBytes: 1)))

    let values = FormValues([.name: "Lamp"], photos: [kept, read])

    expect(values.forNewProduct, FormValues([.name: "Lamp"], photos: [read]))
  }

  @Test(arguments: edited)
  func `of two versions of a field one is kept`(_ field: ProductField) {
    let mine = edit(of: field)
    var conflict = Conflict(mine: mine, theirs: Self.base)
    let row = Conflict.Row(field: field, keepsMine: true)

    expect(conflict.rows, [row])
    expect(conflict.resolved().values, mine.values)
    conflict.toggle()
    expect(conflict.resolved().values, FormValues(Self.base))
  }

  @Test(arguments: edited)
  func `a lost answer is known by every field that it changed`(_ field: ProductField) {
    let form = edit(of: field)

    #expect(!form.isContained(in: Self.base))
    #expect(ProductForm(.edit(Self.base), capabilities: .full).isContained(in: Self.base))
  }

  @Test(arguments: edited)
  func `an edit is taken back field by field`(_ field: ProductField) {
    var after = ProductDetail.full()
    after.pictures = Self.base.pictures
    after.set([.currency: .code("KRW")])
    let edit = FinishedEdit(before: Self.base, after: after, capabilities: .full, removed: [:])

    let undone = edit.undoingForm.patch()

    guard field != .pictures, after[field] != Self.base[field] else { return }
    expect(undone[field], Self.base[field])
  }

  private nonisolated static let ofProduct = FormValues.fields.filter(
    ProductField.allCases.contains)

  @Test(arguments: ofProduct)
  func `what a script says of a field stands in it`(_ field: ProductField) {
    var filling = FormFiller(ProductForm(.registration, capabilities: .full))

    let problem = filling.fill([field: FieldSample[field].text])

    expect(problem, nil)
    expect(filling.form.values.value(of: field), FieldSample[field].value)
  }

  @Test(arguments: ofProduct.filter { $0.isOptional })
  func `what may be left out is taken back, and by a script as well`(
    _ field: ProductField
  ) throws {
    let standard = try #require(field.standard)
    let product = ProductDetail.full()
    var form = ProductForm(.edit(product), capabilities: .full)
    form.focus(field)
    if case .choice = form[field] { form.choose("") } else { form.clear(field) }
    var filling = FormFiller(ProductForm(.edit(product), capabilities: .full))

    let problem = filling.fill([field: standard.texts.first ?? ""])

    var scripted = filling.form
    #expect(problem == nil && form.checkAll() && scripted.checkAll())
    expect(form.patch().fieldValues, [field: standard])
    expect(scripted.patch().fieldValues, [field: standard])
  }

  @Test(arguments: ProductField.allCases)
  func `a field that has to be filled in is missed, and no other`(_ field: ProductField) {
    let form = ProductForm(.registration, capabilities: .full)
    let isMissed = ProductEntries().missingFields(from: nil).contains(field)
    let isAskedApart = field.kind == .password

    expect(form.problem(of: field) == .missing, isMissed || isAskedApart)
  }
}

import EditorKit
import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct ProductFormTests {
  @Test func `an empty registration names all that is missing and goes to the first of it`() {
    var form = ProductForm(.registration, capabilities: .full)
    form.focus(.description)

    let isFit = form.checkAll()

    #expect(!isFit)
    expect(form.focus, .pictures)
    expect(
      form.problems,
      [
        .pictures: .missing, .name: .missing, .price: .missing, .description: .missing,
        .password: .missing,
      ])
  }

  @Test func `fields that the market does not have are empty, and told`() {
    let filled = ProductForm.filled()
    var start = filled.values
    (start[.place], start[.category]) = ("서울", "sports")

    var begun = ProductForm(.registration, capabilities: .withUniversalFields, from: start)
    begun.setPassword("사과나무")
    var learnt = filled
    learnt.write("서울", in: .place)
    learnt.learn(.withUniversalFields)

    #expect(begun.dropped == [.place, .category] && learnt.dropped == [.place])
    #expect(filled.dropped.isEmpty && learnt.focus == .name)
    for form in [begun, learnt] {
      var form = form
      #expect(form.checkAll() && form.registration()?.place == nil)
      expect(form.registration()?.category, nil)
    }
  }

  @Test func `a draft's fields that the market does not have are no change`() {
    let detail = ProductDetail.sample()
    var values = ProductForm(.edit(detail), capabilities: .full).values
    values[.reserved] = "yes"
    let draft = Draft(
      id: Draft.ID(rawValue: "a"), target: .edit(detail.product.id),
      key: IdempotencyKey(rawValue: "a"), values: values, changedFields: [.reserved],
      changed: Timestamp(seconds: 0))

    var form = ProductForm(.edit(detail), capabilities: .withUniversalFields)
    form.restore(draft)

    #expect(form.patch().isEmpty && form.dropped == [.reserved])
  }

  @Test func `lengths are counted in characters that a person sees`() {
    var form = ProductForm.filled()
    form.clear(.name)
    form.write("👨‍👩‍👧‍👦각", in: .name)

    expect(form.problem(of: .name), .tooShort(minimum: 3))
    form.write("!", in: .name)

    expect(form.problem(of: .name), nil)
  }

  @Test func `a discount above the price is named when either is left`() {
    var form = ProductForm.filled()
    form.write("260000", in: .discount)

    form.focusNext()
    expect(form.problems, [.discount: .abovePrice(priceHundredths: 24_000_000)])
    form.clear(.price)
    form.write("2,400,000", in: .price)

    #expect(form.problems.isEmpty)
  }

  @Test func `a field that is left empty is not blamed before the form is sent`() {
    var form = ProductForm(.registration, capabilities: .full)

    form.focusNext()
    form.focusNext()

    #expect(form.problems.isEmpty && form.focus == .currency)
  }

  @Test func `a filled form becomes a registration`() throws {
    var form = ProductForm.filled()
    form.write("12,000", in: .discount)

    expect(form.checkAll(), true)
    let registration = try #require(form.registration())

    expect(registration.name, "로드 자전거")
    expect(registration.price, Money(hundredths: 24_000_000, currency: .krw))
    expect(registration.discountHundredths, 1_200_000)
    #expect(registration.stock == 1 && registration.pictures == [[1, 2, 3]])
    expect(registration.password.byteCount, "사과나무".utf8.count)
  }

  @Test(arguments: ["12.50", "12,50", "$12.50", "１２．５０ USD"])
  func `an amount is kept as it was typed, and read in the currency that stands there`(
    text: String
  ) throws {
    var form = ProductForm.filled()
    form.clear(.price)
    form.write(text, in: .price)
    form.choose(.usd)

    #expect(form[.price].text == text && form.checkAll())
    try expect(#require(form.registration()).price, Money(hundredths: 1_250, currency: .usd))
    form.choose(.krw)

    #expect(form[.price].text == text && !form.checkAll() && form.focus == .price)
    #expect(form.registration() == nil)
  }

  @Test(arguments: [
    ("95.50", AmountError.decimals(.krw)), ("$9", .otherCurrency(.usd, instead: .krw)),
    ("0.500", .ambiguous(decimal: "0.5", grouped: "500")),
    ("1,234,5", .ambiguous(decimal: "1,234.5", grouped: "12,345")),
    ("abc", .noAmount), ("99999999999999999", .tooLarge),
  ])
  func `what is no amount of the chosen currency says why when it is left`(
    text: String, error: AmountError
  ) {
    for field in [ProductField.price, .discount] {
      var form = ProductForm.filled()
      form.choose(.krw)
      form.clear(field)
      form.write(text, in: field)
      form.focus(.description)

      expect(form.problems[field], .amount(error))
      #expect(!form.checkAll() && form.registration() == nil)
    }
  }

  @Test func `what no more typing makes an amount says so at once`() {
    var form = ProductForm.filled()
    form.clear(.price)

    for key in "1,234,567" {
      form.edit(TextChange { $0.type(String(key)) })
      #expect(form.problems.isEmpty)
    }
    form.edit(TextChange { $0.type(" a") })
    form.edit(TextChange { $0.type("pples") })
    expect(form.problems, [.price: .amount(.noAmount)])
    form.clear(.price)
    #expect(form.problems.isEmpty)

    form.choose(.krw)
    form.write("$5", in: .price)
    expect(form.problems, [.price: .amount(.otherCurrency(.usd, instead: .krw))])
  }

  @Test func `an amount changes a currency that nobody has chosen, and no other`() {
    var form = ProductForm(.registration, capabilities: .full)
    expect(form.currency, .krw)
    form.write("$12.50", in: .price)
    #expect(form.currency == .usd && form.problems.isEmpty)
    form.write("500원", in: .discount)
    expect(form.currency, .usd)
    expect(form.problems, [.discount: .amount(.otherCurrency(.krw, instead: .usd))])

    var chosen = ProductForm(.registration, capabilities: .full)
    chosen.choose(.krw)
    chosen.write("$12.50", in: .price)
    expect(chosen.currency, .krw)

    var edited = ProductForm(.edit(.sample(of: .sample(price: 100))), capabilities: .full)
    edited.clear(.price)
    edited.write("$12.50", in: .price)
    #expect(edited.currency == .krw && !edited.checkAll())
  }

  @Test func `a currency that the market does not take is not taken from an amount`() {
    var form = ProductForm(.registration, capabilities: .full)

    form.write("12.50 EUR", in: .price)

    #expect(form.currency == .krw && form.problems[.price] != nil)
  }

  @Test func `every amount that is typed is registered as it reads, or not at all`() throws {
    var random = SeededRandom(seed: 95)
    for _ in 0..<400 {
      let pieces = ["1", "23", "450", "000", ",", ".", "만", "천", "$", "원", " ", "-", "x"]
      let text = (0..<Int.random(in: 1...7, using: &random))
        .compactMap { _ in pieces.randomElement(using: &random) }.joined()
      var form = ProductForm.filled()
      form.clear(.price)
      for key in text { form.edit(TextChange { $0.type(String(key)) }) }

      expect(form[.price].text, text)
      let read = try? Amount(reading: text).hundredths(in: form.currency)
      expect(form.registration()?.price.hundredths, read, "\(text)")
    }
  }

  @Test(arguments: ["1.5", "3x", "$3", "0.500", "-2", "1,23"])
  func `a stock that is no whole number is not taken for another one`(text: String) {
    var form = ProductForm.filled()
    form.clear(.stock)

    form.write(text, in: .stock)

    expect(form[.stock].text, text)
    #expect(!form.checkAll() && form.focus == .stock)
  }

  @Test func `a product that breaks the rules is edited without loss`() {
    let strange = ProductDetail.sample(
      of: .sample(name: "x", price: 5, stock: 5_000_000_000), description: "")
    var form = ProductForm(.edit(strange), capabilities: .full)

    #expect(form.checkAll() && form.patch().isEmpty)
    form.write("yz", in: .name)

    expect(form.checkAll(), true)
    expect(form.patch(), ProductPatch(name: "xyz"))
  }

  @Test func `only what differs from the beginning is sent`() {
    var form = ProductForm(.edit(.sample(of: .sample(name: "Bicycle"))), capabilities: .full)

    form.write("!", in: .name)
    form.edit(TextChange { $0.delete(.left) })
    form.write("7", in: .stock)

    expect(form.patch(), ProductPatch(stock: 37))
  }

  @Test func `a market that keeps its pictures is told which one is first`() {
    var capabilities = RepositoryCapabilities.full
    capabilities.changesPictures = false
    let pictures = (1...3).map {
      Picture(number: Int64($0), original: "p\($0)", thumbnail: "t\($0)")
    }
    let detail = ProductDetail.sample(pictures: pictures)
    var form = ProductForm(.edit(detail), capabilities: capabilities)

    form.editPhotos { photos in
      photos.select(2)
      photos.moveSelected(by: -1)
      photos.moveSelected(by: -1)
    }

    expect(form.patch(), ProductPatch(pictures: .thumbnail(number: 3)))
  }

  @Test func `what a repository refuses lands on its field`() {
    var form = ProductForm.filled()

    form.refuse([FieldError(.stock, .negative), FieldError(.name, .refused("no"))])

    expect(form.focus, .name)
    expect(form.problems, [.stock: .negative, .name: .refused("no")])
  }

  @Test func `what a paste lost is counted until the next key`() {
    var form = ProductForm.filled()
    form.clear(.name)

    let isWhole = form.paste(String(repeating: "가", count: 112))
    #expect(!isWhole && form.cut == [.name: 12])
    form.edit(TextChange { $0.move(.left) })

    #expect(form.cut.isEmpty)
  }

  @Test func `what an editor outside brought back is cut and counted as well`() {
    var form = ProductForm.filled()

    form.replaceDescription(with: String(repeating: "나", count: 1_003))

    #expect(form.description.text.count == 1_000 && form.cut == [.description: 3])
  }

  // MARK: Discounts in percent

  @Test(arguments: [
    ("240,000원", "20%", Int64(48_000_00)), ("12,345", "10 %", 1_235_00), ("$9.99", "15%", 1_50),
    ("100", "2.5％", 3_00), ("100", "0%", 0),
  ])
  func `a discount in percent comes to whole units, never to less than was typed`(
    price: String, percent: String, hundredths: Int64
  ) {
    var form = ProductForm(.registration, capabilities: .full)
    form.write(price, in: .price)
    form.write(percent, in: .discount)

    expect(form.values.value(of: .discount), .amount(hundredths))
    #expect(form.values.price?.discountHundredths == hundredths && form.problems.isEmpty)
  }

  @Test func `a percentage follows the price, and needs one`() {
    var form = ProductForm.filled()
    form.clear(.price)
    form.write("20%", in: .discount)
    form.focusNext()
    #expect(form.problems.isEmpty && form.values.value(of: .discount) == nil)
    #expect(!form.checkAll() && form.problems == [.price: .missing])

    form.write("50,000", in: .price)

    #expect(form.checkAll() && form.registration()?[.discount] == .amount(10_000_00))
  }

  @Test(arguments: ["101%", "%", "1,5,0%", "-5%", "$5%"])
  func `more than all of the price, and what is no percentage, is refused`(_ text: String) {
    var form = ProductForm.filled()
    form.write(text, in: .discount)
    form.focusNext()

    #expect(form.problems[.discount] != nil)
  }

  @Test func `a percentage that an edit sends is the amount that it comes to`() {
    let detail = ProductDetail.sample(of: .sample(price: 1_000))
    var form = ProductForm(.edit(detail), capabilities: .full)
    form.write("25%", in: .discount)

    expect(form.patch().fieldValues, [.discount: .amount(250_00)])
  }

  // MARK: The password

  @Test func `a password is typed again before all is sent, and what differs is told on its line`()
  {
    var form = ProductForm.filled()
    form.wipePassword()
    form.focusPassword(repeating: false)
    form.editPassword { $0.type("secret") }
    #expect(!form.checkAll() && form.entry.isRepeating && form.focus == .password)
    form.editPassword { $0.type("secrex") }
    form.focusNext()
    #expect(form.blamesRepetition && form.problems.isEmpty && !form.checkAll())

    form.editPassword { $0.deleteLast() }
    form.editPassword { $0.type("t") }

    #expect(!form.blamesRepetition && form.checkAll())
  }

  @Test func `the focus goes through both lines of the password, in both directions`() {
    var form = ProductForm.filled()
    form.focus(.description)

    form.focusNext()
    #expect(form.focus == .password && !form.entry.isRepeating)
    form.focusNext()
    #expect(form.focus == .password && form.entry.isRepeating)
    form.focusNext()
    expect(form.focus, .pictures)
    form.focusPrevious()
    #expect(form.focus == .password && form.entry.isRepeating)
    form.focusPrevious()
    #expect(form.focus == .password && !form.entry.isRepeating)
  }

  @Test func `a password that was right before is not typed again, but one in its place is`() {
    var form = ProductForm.filled()
    form.password.withBytes { form.fillPassword($0) }
    form.focus(.description)
    form.focusNext()
    form.focusNext()
    #expect(form.focus == .pictures && form.checkAll())

    form.focusPassword(repeating: false)
    form.editPassword { $0.type("other") }

    #expect(form.entry.needsRepetition && !form.checkAll())
  }

  @Test func `a password that is shown is hidden as soon as its field is left`() {
    var form = ProductForm.filled()
    form.togglePassword()
    #expect(!form.entry.isShown)
    form.focus(.password)
    form.togglePassword()
    form.focusNext()
    #expect(form.entry.isShown && form.entry.isRepeating)

    form.focusNext()
    #expect(!form.entry.isShown)
    form.focusPrevious()

    #expect(form.focus == .password && !form.entry.isShown)
  }

  @Test func `a field can be left out of the check`() {
    var form = ProductForm.filled()
    form.wipePassword()

    #expect(form.checkAll(but: .password) && !form.checkAll())
  }
}

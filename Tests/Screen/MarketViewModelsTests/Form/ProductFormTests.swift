import EditorKit
import MarketModel
import TestSupport
import Testing

@testable import MarketViewModels

@Suite struct ProductFormTests {
  @Test func `an empty registration names all that is missing and goes to the first of it`() {
    var form = ProductForm(.registration, capabilities: .full)
    form.focus(.description)

    let isFit = form.checkAll()

    #expect(!isFit)
    #expect(form.focus == .pictures)
    #expect(
      form.problems == [
        .pictures: .missing, .name: .missing, .price: .missing, .description: .missing,
        .password: .missing,
      ])
  }

  @Test func `lengths are counted in characters that a person sees`() {
    var form = ProductForm.filled()
    form.clear(.name)
    form.write("👨‍👩‍👧‍👦각", in: .name)

    #expect(form.problem(of: .name) == .tooShort(minimum: 3))
    form.write("!", in: .name)

    #expect(form.problem(of: .name) == nil)
  }

  @Test func `a discount above the price is named when either is left`() {
    var form = ProductForm.filled()
    form.write("260000", in: .discount)

    form.focusNext()
    #expect(form.problems == [.discount: .abovePrice(priceHundredths: 24_000_000)])
    form.focus(.price)
    form.edit(TextChange { $0.move(.lineEnd) })
    form.edit(TextChange { $0.type("0") })

    #expect(form.problems.isEmpty)
  }

  @Test func `a field that is left empty is not blamed before the form is sent`() {
    var form = ProductForm(.registration, capabilities: .full)

    form.focusNext()
    form.focusNext()

    #expect(form.problems.isEmpty && form.focus == .price)
  }

  @Test func `a filled form becomes a registration`() throws {
    var form = ProductForm.filled()
    form.write("12,000", in: .discount)

    #expect(form.checkAll() == true)
    let registration = try #require(form.registration())

    #expect(registration.name == "로드 자전거")
    #expect(registration.price == Money(units: 240_000, currency: .krw))
    #expect(registration.discountHundredths == 1_200_000)
    #expect(registration.stock == 1 && registration.pictures == [[1, 2, 3]])
    #expect(registration.password.byteCount == "사과나무".utf8.count)
  }

  @Test func `dollars have cents, and keep their digits when the currency changes`() throws {
    var form = ProductForm.filled()
    form.choose(.usd)
    form.clear(.price)

    form.write("$12.50", in: .price)
    #expect(try #require(form.registration()).price.hundredths == 1_250)
    form.choose(.krw)

    #expect(form[.price].text == "12.50")
  }

  @Test func `a product that breaks the rules is edited without loss`() {
    let strange = ProductDetail.sample(
      of: .sample(name: "x", price: 5, stock: 5_000_000_000), description: "")
    var form = ProductForm(.edit(strange), capabilities: .full)

    #expect(form.checkAll() && form.patch().isEmpty)
    form.write("yz", in: .name)

    #expect(form.checkAll() == true)
    #expect(form.patch() == ProductPatch(name: "xyz"))
  }

  @Test func `only what differs from the beginning is sent`() {
    var form = ProductForm(.edit(.sample(of: .sample(name: "Bicycle"))), capabilities: .full)

    form.write("!", in: .name)
    form.edit(TextChange { $0.delete(.left) })
    form.write("7", in: .stock)

    #expect(form.patch() == ProductPatch(stock: 37))
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

    #expect(form.patch() == ProductPatch(pictures: .thumbnail(number: 3)))
  }

  @Test func `what a repository refuses lands on its field`() {
    var form = ProductForm.filled()

    form.refuse([FieldError(.stock, .negative), FieldError(.name, .refused("no"))])

    #expect(form.focus == .name)
    #expect(form.problems == [.stock: .negative, .name: .refused("no")])
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

  @Test func `a field can be left out of the check`() {
    var form = ProductForm.filled()
    form.wipePassword()

    #expect(form.checkAll(but: .password) && !form.checkAll())
  }
}

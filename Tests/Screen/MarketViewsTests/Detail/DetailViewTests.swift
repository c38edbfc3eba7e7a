import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import Synchronization
import TerminalKit
import TestSupport
import Testing

struct DetailViewTests {
  private static let seller = Seller(id: Seller.ID(rawValue: 2), name: "한강라이더")
  private static let text =
    "작년 봄에 사서 출퇴근에만 탔습니다.\n\n체인 오일이랑 휴대용 펌프는 그냥 드릴게요."

  private static func pictures(_ count: Int) -> [Picture] { (0..<count).map(Picture.numbered) }

  private static let bicycle = product()

  /// A bicycle of yesterday, a day of this year.
  private static func product(
    _ name: String = "로드 자전거 21단, 출퇴근용", stock: Int64 = 1, hasPicture: Bool = true
  ) -> Product {
    var product = Product.sample(
      id: 66, seller: seller, name: name, price: 240_000, discount: 60_000, stock: stock,
      thumbnail: hasPicture ? .numbered(0) : nil)
    product.created = Timestamp(seconds: 1_700_000_000, precision: .day)
    product.changed = product.created
    return product
  }

  /// A stage that shows the third of three products, read whole.
  private func stage(
    _ product: Product = bicycle, text: String = text, pictures count: Int = 4,
    loader: any PictureLoader = Paint()
  ) async throws -> Stage {
    let stage = Stage(pictures: loader)
    try await stage.show([.sample(id: 99), .sample(id: 98), product])
    stage.browser.list.select(2)
    stage.press(.enter)
    try await stage.repository.details.next().answer(
      .sample(of: product, description: text, pictures: Self.pictures(count)))
    await until { stage.browser.detail.isComplete }
    return stage
  }

  private static let longText = (1...60).map { "Line \($0)." }.joined(separator: "\n")

  // MARK: Layouts

  @Test func `a small window has them as well, in as many lines as it takes`() async throws {
    let lines = try await stage().lines(40, 12)

    expect(
      Array(lines[1..<9]),
      [
        "              로드 자전거 21단,",
        "              출퇴근용",
        "              ₩180,000  ₩240,000  25%",
        "              어제 (11-14)",
        " 1/4",
        " ──────────────────────────────────────",
        " 작년 봄에 사서 출퇴근에만 탔습니다.",
        "",
      ])
  }

  // MARK: Blocks

  /// A stage on which its seller can be reached, and has more for sale.
  private func stageWithOthers(text: String = text) async throws -> Stage {
    let seller = Self.seller
    var product = Self.product()
    product.seller = seller
    product.seller.contact = SellerContact("010-1234-5678")
    let stage = try await stage(product, text: text)
    _ = stage.lines(120, 36)
    try await stage.clock.sleeps(of: OtherProducts.restDelay).next().answer(())
    let others: [(name: String, price: Int64)] = [
      ("헬멧 M", 30_000), ("자물쇠", 12_000), ("전조등 세트", 9_000),
    ]
    let page = try await stage.repository.pages.next()
    expect(page.request.query, ProductQuery(sellers: [seller.id]))
    page.answer(
      ProductPage(
        products: [product]
          + others.enumerated().map { index, other in
            .sample(id: Int64(index + 1), seller: seller, name: other.name, price: other.price)
          }, total: .exactly(12), next: nil))
    await until { stage.browser.detail.otherProducts.others(besides: product.id) != nil }
    return stage
  }

  @Test func `the last block gives way to a line where there is no room`() async throws {
    let stage = try await stageWithOthers(
      text: (1...14).map { "Line \($0)." }.joined(separator: "\n"))

    let high = stage.lines(120, 25, .english)
    let low = stage.lines(120, 24, .english)

    #expect(high[23].hasSuffix("전조등 세트 ₩9,000"))
    #expect(low[22].contains(/More from this seller +s all 12$/))
    #expect(!low.contains { $0.contains("▾") })
    #expect(low.contains { $0.contains("Contact: 010-1234-5678") })
  }

  @Test func `what is unset has no block, and the detail beside the list asks for nothing`()
    async throws
  {
    let stage = try await stage(Self.bicycle)
    let lines = stage.lines(120, 36, .english)
    _ = try await stage.clock.sleeps(of: OtherProducts.restDelay).next()

    stage.press(.escape, "k", columns: 120, rows: 36)
    _ = stage.lines(120, 36)

    let written = lines[9..<25].filter { $0.dropFirst(61).contains { $0 != " " } }
    expect(written.map { $0.dropFirst(61).filter { $0 != " " } }, ["한강라이더"])
    expect(stage.clock.sleeps(of: OtherProducts.restDelay).callCount, 1)
    expect(stage.repository.pages.callCount, 1)
  }

  // MARK: Scrolling

  @Test func `the page scrolls as one, and name and price stay on the top line`() async throws {
    let stage = try await stage(text: Self.longText)

    for _ in 0..<9 { stage.press("j") }
    let atText = stage.lines(80, 24)
    #expect(atText[1].hasPrefix(" ───") && atText[2] == " Line 1.")
    #expect(!atText.contains { $0.contains("1/4") })
    stage.press("j", "j", "j")
    let scrolled = stage.lines(80, 24)
    stage.press("G")
    let end = stage.lines(80, 24)

    expect(scrolled[1], " 로드 자전거 21단, 출퇴근용  ₩180,000")
    expect(scrolled[2], " Line 4.")
    expect(scrolled[22], " Line 24." + String(repeating: " ", count: 64) + "▾")
    expect(end[1], scrolled[1])
    #expect(end[20] == " Line 60." && end[22] == " 한강라이더")
  }

  @Test func `no line is passed unseen by whole pages and half ones`() async throws {
    for key in [KeyPress.pageDown, .control("d")] {
      let stage = try await stage(text: Self.longText)
      var seen: Set<String> = []

      for _ in 0..<20 {
        seen.formUnion(stage.lines(60, 20).dropFirst(2))
        stage.press(key, columns: 60, rows: 20)
      }

      for line in 1...60 { #expect(seen.contains { $0.hasPrefix(" Line \(line).") }) }
    }
  }

  @Test func `a wide detail scrolls its texts beside the picture`() async throws {
    let stage = try await stage(text: Self.longText)

    for _ in 0..<40 { stage.press("j", columns: 120, rows: 36) }
    let lines = stage.lines(120, 36)

    #expect(lines[2].hasSuffix("로드 자전거 21단, 출퇴근용  ₩180,000"))
    #expect(lines[25].hasPrefix(" ● ○ ○ ○  1/4"))
    #expect(lines[32].hasSuffix(" Line 60.") && lines[34].hasSuffix(" 한강라이더"))
  }

  // MARK: What it says

  @Test(arguments: Language.allCases)
  func `a seller's long name leaves room for the age`(language: Language) async throws {
    var product = Self.product()
    product.seller.name = String(repeating: "아주 긴 이름 ", count: 20)
    let stage = try await stage(product)

    for columns in [40, 80] {
      let text = stage.lines(columns, 30, language, pictures: .none).joined(separator: " ")
      #expect(text.contains(language == .korean ? "어제 (11-14)" : "yesterday (Nov 14)"))
    }
  }

  @Test func `another year and an edit are said, an edit at the same time is not`() async throws {
    var old = Self.product()
    old.created = Timestamp(seconds: 1_600_000_000, precision: .day)
    old.changed = Timestamp(seconds: 1_700_000_000, precision: .day)
    let stage = try await stage(old)

    let korean = stage.lines(80, 24)
    let english = stage.lines(80, 24, .english)
    let unchanged = try await self.stage().lines(80, 24)

    #expect(korean[3].hasSuffix(" 3년 전 (2020-09-13) · 11-14 수정"))
    #expect(english[3].hasSuffix(" 3 years ago (Sep 13, 2020) · edited Nov 14"))
    #expect(!unchanged.dropLast().contains { $0.contains("수정") })
  }

  @Test func `a time of the day is told with the day`() async throws {
    var product = Self.product()
    product.created = Timestamp(seconds: 1_700_000_000)
    product.changed = product.created
    let stage = try await stage(product)

    #expect(stage.lines(80, 24)[3].contains(/\(11-1[45] \d\d:\d\d\)/))
    #expect(stage.lines(80, 24, .english)[3].contains(/\(Nov 1[45], \d\d:\d\d\)/))
  }

  @Test func `which of how many is said as far as it is known`() async throws {
    let stage = Stage()
    stage.browser.start()
    try await stage.repository.pages.next().answer(
      .sample([3, 2, 1], total: .atLeast(1_300), next: .after(PageCursor(rawValue: "1"))))
    await until { !stage.browser.feed.isStale }
    stage.press("j", .enter)

    #expect(stage.lines(80, 24)[0].hasSuffix("2/1,300+ #2"))
    #expect(stage.lines(120, 36)[0].hasSuffix("2 / 1,300+    #2"))
    stage.browser.detail.showLoaded(.sample(of: .sample(id: 77)))

    #expect(stage.lines(80, 24)[0].hasSuffix("  #77"))
  }

  @Test func `a product without pictures says so, and leaves their place to its text`() async throws
  {
    let stage = try await stage(Self.product(hasPicture: false), pictures: 0)

    let narrow = stage.lines(80, 24)
    let wide = stage.lines(120, 36)

    expect(narrow[1], " 로드 자전거 21단, 출퇴근용")
    expect(narrow[3], " 어제 (11-14) · 사진 없음")
    expect(wide.filter { $0.contains("사진 없음") }.count, 1)
    #expect(wide[2].hasSuffix("로드 자전거 21단, 출퇴근용"))
  }

  @Test func `a picture that did not come says so, and R asks for it again`() async throws {
    let paint = Paint(isBroken: true)
    let stage = try await stage(loader: paint)

    await stage.picturesCome()
    let text = stage.lines(80, 24, .english)
    let count = paint.wants.count
    #expect(text.contains { $0.contains("Not loaded") })
    #expect(text.contains { $0.contains("R to retry") })
    stage.press("R")
    #expect(!stage.lines(80, 24, .english).contains { $0.contains("Not loaded") })
    await stage.picturesCome()

    #expect(paint.wants.count > count)
    #expect(!text.contains { $0.contains("No photo") })
  }

  @Test(arguments: [80, 120])
  func `what is sold out, fails or is on its way says so`(width: Int) async throws {
    let soldOut = try await stage(Self.product(stock: 0))
    let failed = Stage(pictures: Paint())
    try await failed.show([Self.product()])
    failed.press(.enter)
    let loading = failed.lines(width, 36)
    try await failed.repository.details.next().fail(.unreachable(.timedOut))
    await until { if case .failed = failed.browser.detail.phase { true } else { false } }

    #expect(soldOut.lines(width, 36).contains { $0.hasSuffix(" 판매 완료") })
    #expect(loading.contains { $0.hasSuffix("₩180,000  ₩240,000  25%") })
    #expect(failed.lines(width, 36).contains { $0.contains("✗") })
  }

  // MARK: Pictures

  @Test func `a product that is left and shown again has the picture it had`() async throws {
    let stage = try await stage()
    stage.press(.right, .right)

    stage.press("K")
    _ = stage.lines(80, 24)
    stage.press("J")
    try await stage.repository.details.next().answer(.sample(of: .sample(id: 98)))
    try await stage.repository.details.next().answer(
      .sample(of: Self.bicycle, pictures: Self.pictures(4)))
    await until { stage.browser.detail.isComplete }

    #expect(stage.lines(80, 24).contains { $0.contains("○ ○ ● ○") })
  }

  @Test func `a click on a dot or a small picture shows it, one on the large one enlarges it`()
    async throws
  {
    let stage = try await stage()

    stage.click(3, 9)
    expect(stage.browser.detail.pictureIndex, 1)
    stage.click(45, 26, columns: 120, rows: 36)
    expect(stage.browser.detail.pictureIndex, 2)
    stage.click(90, 12, columns: 120, rows: 36)
    #expect(stage.top === stage.browser.detail)
    stage.click(9, 9, columns: 120, rows: 36)

    #expect(stage.top is PictureModel)
  }

  @Test func `what is scrolled away is not clicked`() async throws {
    let stage = try await stage(text: Self.longText)
    for _ in 0..<6 { stage.press("j") }

    stage.click(3, 9)
    expect(stage.browser.detail.pictureIndex, 0)
    stage.click(3, 3)

    expect(stage.browser.detail.pictureIndex, 1)
  }

  @Test(arguments: everyWidth)
  func `every width and height is drawn, however long the name and many the pictures`(
    width: Int
  ) async throws {
    let name = String(repeating: "아주 긴 이름 ", count: 30)
    let stage = try await stage(Self.product(name), text: Self.longText, pictures: 40)

    for rows in 6...40 {
      stage.press(.right, "j", columns: width, rows: rows)
      let lines = stage.lines(width, rows)
      expect(lines.count, rows)
      #expect(width < 40 || lines[0].hasSuffix("#66"))
      _ = stage.lines(width, rows, pictures: .none)
    }
  }
}

/// Paints every picture white, in the size in which it is wanted, as one of 640 by 480 pixels.
final class Paint: PictureLoader {
  static let size = PixelSize(width: 640, height: 480)
  private let asked = Mutex<[PictureWant]>([])
  /// Whether none comes.
  private let isBroken: Bool
  /// What was wanted, in this order.
  var wants: [PictureWant] { asked.withLock { $0 } }

  init(isBroken: Bool = false) {
    self.isBroken = isBroken
  }

  func load(_ want: PictureWant) async throws(PictureError) -> any DrawablePicture {
    asked.withLock { $0.append(want) }
    guard !isBroken else { throw .unreachable }
    let size =
      want.fit == .cover ? want.box : (want.part?.size ?? Self.size).fitted(into: want.box)
    let art = BlockArt(
      pixels: Array(repeating: 255, count: size.pixelCount * 4), width: size.width,
      height: size.height,
      size: CellSize(columns: (size.width + 1) / 2, rows: (size.height + 3) / 4))
    return PictureTile.cells(art, of: Self.size)
  }
}

extension Stage {
  /// Waits until what the screen wants of pictures has come, or has not.
  func picturesCome(columns: Int = 80, rows: Int = 24) async {
    let wants = screen(columns, rows).wants
    await until {
      wants.allSatisfy { want in
        if case .pending = navigator.gallery.picture(for: want) { false } else { true }
      }
    }
  }
}

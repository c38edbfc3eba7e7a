import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PersonalStore
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// A market in one language in a window of one size, which answers every request.
final class PictureMarket {
  let stage: Stage
  let language: Language
  let size: CellSize
  let products: [ProductDetail]
  let store: PersonalFile
  let markets: Markets
  let others: FakeMarkets
  /// Where a telephone's photos come from; nil for nowhere.
  let receiver: FakePhotoReceiver?
  /// What the markets say of questions.
  var news: [String: QuestionNews] = [:]
  private let wall = WallClock(noon - day)
  private let reach = ReachabilityMonitor()

  /// A noon of UTC, whose day is the same in nearly every time zone.
  nonisolated static let noon: Int64 = 1_700_049_600
  nonisolated static let day: Int64 = 86_400
  static let now = Timestamp(seconds: noon)

  init(
    _ language: Language, _ size: CellSize, _ arrangement: BrowserModel.Arrangement = .list,
    drafts: [Draft] = [], seen: (any ProductCache)? = nil, isDescribed: Bool = false,
    isAsked: Bool = false, address: String? = nil, receiver: FakePhotoReceiver? = nil
  ) {
    (self.language, self.size) = (language, size)
    var products = isDescribed ? Self.described(in: language) : Self.products(in: language)
    for index in [0, 1] where isAsked { products[index].questionCount = 3 }
    self.products = products
    store = PersonalFile.inMemory(at: wall)
    self.receiver = receiver
    var capabilities = RepositoryCapabilities.full
    capabilities.publicAddress = address.flatMap { WebAddress($0) }
    stage = Stage(
      arrangement, repository: GatedProductRepository(capabilities: capabilities), sells: true,
      drafts: FakeDrafts(drafts), photos: FakePhotoImporter(["/home/me/": Self.folder]),
      reach: reach, pictures: FadingPictures(),
      marketAddress: address.map { SafeText($0) }, seen: seen, receiver: receiver)
    markets = Markets(stage.navigator)
    others = FakeMarkets(["home", "far.example"], behind: markets, clock: stage.clock)
    let program = stage.navigator.program
    program.personal = store
    program.settings = FakeSettings()
    program.alerts = AlertScheduler(
      markets, store: store, attention: UserPresence(), clock: stage.clock)
  }

  var navigator: Navigator { stage.navigator }
  var top: any Layer { stage.top }
  private var isKorean: Bool { language == .korean }

  /// Shows all products, of which the one with this index is selected.
  func open(selecting index: Int = 0) async throws {
    try await stage.signIn()
    await noteEarlierVisit()
    try await stage.show(products.map(\.product))
    stage.browser.list.select(index)
    try await settle { stage.browser.seenTracker.newCount != nil }
  }

  /// Lets the waiting drafts of earlier runs be asked about.
  func reachMarket() { reach.didAnswer() }

  /// The bicycle has come since, the camera has become cheaper, and the desk had before.
  private func noteEarlierVisit() async {
    let percents: [(days: Int64, index: Int, percent: Int64)] = [
      (9, 3, 140), (5, 3, 120), (1, 3, 100), (1, 2, 120),
    ]
    for (days, index, percent) in percents {
      let product = products[index].product
      guard let price = product.pricing.price?.toPay else { continue }
      let amount = Money(
        hundredths: price.hundredths * percent / 100, currency: price.currency)
      wall.set(to: Self.noon - days * Self.day)
      await store.didSee([SeenProduct(id: product.id, price: amount)], in: .local)
    }
    await store.visit(.local, newest: products[1].id)
  }

  // MARK: Keys

  func press(_ keys: KeyPress...) async throws { for key in keys { try await press([key]) } }

  private func press(_ keys: [KeyPress]) async throws {
    put(keys)
    try await settle()
  }

  /// Presses keys whose answer comes from elsewhere.
  func put(_ keys: [KeyPress]) {
    stage.type(
      keys.map(InputEvent.key), columns: size.columns, rows: size.rows, language)
  }

  func type(_ text: String) async throws {
    for character in text { try await press([KeyPress(character)]) }
  }

  /// The text of the language.
  func words(_ korean: String, _ english: String) -> String { isKorean ? korean : english }

  // MARK: Answers

  /// Answers everything that is asked until nothing is on its way any more and this is so.
  func settle(_ condition: () -> Bool = { true }) async throws {
    try await poll {
      let window = window(size)
      window.layOut()
      try await answer()
      return condition() && isAtRest(window)
    }
  }

  /// Whether nothing that the window shows is on its way.
  private func isAtRest(_ window: Window) -> Bool {
    let (browser, stack) = (stage.browser, stage.navigator.stack)
    guard !stack.isTurning, !stack.isLoading else { return false }
    let personal = stack.layers.compactMap { $0 as? PersonalListModel }
    let areCounted = personal.allSatisfy { list in
      list.tabs.allSatisfy { list.count(of: $0) != nil }
    }
    guard areCounted, !browser.detail.otherProducts.isReading else { return false }
    let compared = stack.layers.compactMap { $0 as? SideBySideModel }.flatMap(\.sides)
    guard compared.allSatisfy({ $0.detail != nil }) else { return false }
    if browser.detail.isShown, let selected = browser.selected {
      guard browser.detail.product?.id == selected.id, browser.detail.isComplete else {
        return false
      }
    }
    return window.wants.allSatisfy { want in
      if case .pending = navigator.gallery.picture(for: want) { false } else { true }
    }
  }

  func answer() async throws {
    let repository = stage.repository
    if repository.details.untakenCount > 0 {
      let call = try await repository.details.next()
      if let detail = products.first(where: { $0.id == call.request }) { call.answer(detail) }
    }
    if repository.pages.untakenCount > 0 {
      let call = try await repository.pages.next()
      let found = products.map(\.product).filter { $0.isFound(by: call.request.query) }
      // The only page requested by number is the last page, for the date of a seller's first product.
      let isFirst = call.request.position == .first
      call.answer(
        ProductPage(
          products: isFirst ? found : found.suffix(1), total: .exactly(found.count), next: nil))
    }
    if repository.questions.untakenCount > 0 {
      let call = try await repository.questions.next()
      if case .product(let id) = call.request.scope {
        call.answer(QuestionPage(questions: questions(about: id)))
      }
    }
    if repository.totals.untakenCount > 0 {
      let call = try await repository.totals.next()
      call.answer(.exactly(products.count { $0.product.isFound(by: call.request) }))
    }
    if repository.verifications.untakenCount > 0 {
      try await repository.verifications.next().answer(())
    }
    for (market, news) in news where others.questions(of: market).untakenCount > 0 {
      try await others.questions(of: market).next().answer(news)
    }
    for delay in [DetailModel.followDelay, OtherProducts.restDelay] {
      let sleeps = stage.clock.sleeps(of: delay)
      if sleeps.untakenCount > 0 { try await sleeps.next().answer(()) }
    }
  }

  /// One that is answered, one that is one's own or unanswered, and one that folds.
  private func questions(about id: Product.ID) -> [Question] {
    let price = products.first { $0.id == id }?.product.pricing.price?.toPay
    func question(
      _ number: Int64, _ text: String, by asker: String?, minutes: Int64, answer: String? = nil
    ) -> Question {
      Question(
        id: Question.ID(rawValue: number), product: id, text: text,
        offer: number == 1
          ? price.map { Money(hundredths: $0.hundredths * 9 / 10, currency: $0.currency) } : nil,
        asker: asker, asked: Timestamp(seconds: Self.noon - minutes * 60),
        answer: answer.map {
          Question.Answer(text: $0, given: Timestamp(seconds: Self.noon - minutes * 40))
        }, isOwn: number == 3 && id != products[1].id)
    }
    return [
      question(
        1, words("아직 있나요?", "Is it still there?"), by: words("미나", "Mina"), minutes: 60,
        answer: words("네, 조금만 더 주시면 드릴게요.", "Yes. A little more, and it is yours.")),
      question(
        2,
        words(
          "사진에 보이는 것이 전부인가요, 아니면 함께 주시는 것이 더 있나요? 상자와 설명서가 있으면 좋겠습니다. 그리고 이번 주말에 가지러 가도 되는지 알려 주세요.",
          "Is what the pictures show all there is, or does something else come with it? I would like to have the box and the manual. And may I come for it this weekend?"
        ), by: words("판매자", "Seller"), minutes: 25),
      question(3, words("크기가 어떻게 되나요?", "Which size is it?"), by: nil, minutes: 5),
    ]
  }

  // MARK: Pictures

  private func window(_ size: CellSize, _ change: (inout RenderContext) -> Void = { _ in })
    -> Window
  {
    var context = RenderContext(
      theme: Theme(.dark, strikesThrough: true), strings: Strings(language),
      pictures: .cells(.quadrant), now: Self.now)
    change(&context)
    return Window(navigator: navigator, size: size, context: context)
  }

  /// The screen in a window of a size, which may be another than that in which keys are pressed.
  func picture(
    in size: CellSize, _ change: (inout RenderContext) -> Void = { _ in }
  ) -> Canvas {
    let window = window(size, change)
    window.layOut()
    return window.draw()
  }
}

// MARK: What there is

extension PictureMarket {
  fileprivate struct Ware {
    let name, seller, text: (korean: String, english: String)
    /// In ten thousands of won, and in dollars.
    let price, discount: (won: Int64, dollars: Int64)
    let stock: Int64
    /// How long ago it was registered.
    let hours: Int64
    let pictures: Int
  }

  /// The one who sells from here.
  static let me = Seller.ID(rawValue: 7)
  private static let hana = ("하나", "Hana")
  private static let rider = ("한강라이더", "Riverside Ray")
  private static let attic = ("도토리집", "Acorn Attic")
  private static let numbers = [hana.0: 7, rider.0: 5, attic.0: 6] as [String: Int64]

  /// The same of which some say what they are and where, the bicycle is reserved and the microwave sold.
  fileprivate static func described(in language: Language) -> [ProductDetail] {
    var products = products(in: language)
    func describe(
      _ index: Int, _ category: ProductCategory, _ condition: ProductCondition,
      _ place: (korean: String, english: String)?
    ) {
      products[index].product.category = category
      products[index].product.condition = condition
      products[index].product.place = language == .korean ? place?.korean : place?.english
    }
    describe(0, .sports, .good, ("서울 마포구", "Seoul, Mapo"))
    describe(1, .kitchen, .new, ("제주", "Jeju"))
    describe(2, .electronics, .likeNew, ("부산 해운대구", "Busan, Haeundae"))
    describe(3, .furniture, .fair, nil)
    describe(5, .kitchen, .parts, ("경기 성남시 분당구", "Seongnam, Bundang"))
    for index in [0, 7] { products[index].product.isReserved = true }
    return products
  }

  fileprivate static let wares: [Ware] = [
    Ware(
      name: ("로드 자전거 21단, 출퇴근용", "Road bike, 21 gears, for commuting"), seller: rider,
      text: (
        """
        작년 봄에 사서 출퇴근에만 탔습니다. 프레임은 54라 키 170 정도면 맞습니다. 타이어는 둘 다 올봄에 새로 갈았고 변속도 부드럽습니다.

        탑튜브에 손톱만 한 흠집이 있습니다. 체인 오일이랑 휴대용 펌프는 그냥 드릴게요.
        """,
        """
        Bought last spring and ridden to work and back, nothing else. The frame is a 54, so it fits if you're around 5'7". Both tyres are new this spring and it shifts smoothly.

        There's a scratch the size of a fingernail on the top tube. Chain oil and a mini pump come with it for free.
        """
      ), price: (24, 240), discount: (6, 60), stock: 1, hours: 2, pictures: 4),
    Ware(
      name: ("하트 머그컵 2개 세트", "Heart mugs, set of two"), seller: hana,
      text: (
        "동네 공방에서 만든 컵입니다. 선물하려고 너무 많이 사서 모두 새것입니다.",
        "Made by a potter two streets from here. I ordered too many as presents, so these are all new."
      ), price: (2, 12), discount: (0, 0), stock: 8, hours: 26, pictures: 2),
    Ware(
      name: ("필름 카메라, 50mm 렌즈 포함, 두 롤 테스트", "Film camera with a 50 mm lens, tested with two rolls"),
      seller: rider,
      text: (
        "완전 기계식이라 배터리 없이도 됩니다. 노출계에만 작은 전지가 들어가는데 같이 드립니다.",
        "Fully mechanical, so it works without a battery; only the light meter needs a small cell, which is included."
      ), price: (14, 145), discount: (2, 20), stock: 1, hours: 28, pictures: 3),
    Ware(
      name: ("원목 책상 120cm", "Wooden desk, 4 ft"), seller: attic,
      text: (
        "물푸레나무 상판이고 서랍이 하나 있습니다. 다리는 떼어서 옮길 수 있습니다.\n\n사진: https://far.example/desk",
        "Ash top with one drawer. The legs come off for moving.\n\nMore photos: https://far.example/desk"
      ), price: (9, 90), discount: (0, 0), stock: 2, hours: 31, pictures: 3),
    Ware("LED 스탠드", "Desk lamp", attic, (3, 25), 5, hours: 50, pictures: 0),
    Ware("전자레인지 23L", "Microwave, 23 litres", hana, (4, 40), 0, hours: 75),
    Ware("아이 책 30권 묶음", "Thirty children’s books", attic, (3, 30), 1, hours: 100),
    Ware("기타, 가방과 스탠드 포함", "Guitar with bag and stand", rider, (18, 180), 1, hours: 190),
    Ware("헬멧 M", "Helmet, size M", rider, (3, 30), 3, hours: 300),
    Ware("자물쇠", "Bicycle lock", rider, (1, 12), 2, hours: 400),
    Ware("캠핑 의자 두 개", "Two camping chairs", hana, (5, 45), 1, hours: 900),
    Ware("27인치 모니터", "27-inch monitor", attic, (15, 150), 1, hours: 9_000),
  ]

  fileprivate static func products(in language: Language) -> [ProductDetail] {
    let isKorean = language == .korean
    return wares.enumerated().map { index, ware in
      let number = Int64(66 - index)
      var seller = Seller(
        id: Seller.ID(rawValue: numbers[ware.seller.korean] ?? 0),
        name: isKorean ? ware.seller.korean : ware.seller.english)
      if seller.id != me { seller.contact = SellerContact("010-1234-5678") }
      let pictures = (0..<Int64(ware.pictures)).map { picture in
        Picture(original: "\(number)-\(picture)", thumbnail: "\(number)-\(picture)")
      }
      var product = Product.sample(
        id: number, seller: seller, name: isKorean ? ware.name.korean : ware.name.english,
        price: isKorean ? ware.price.won * 10_000 : ware.price.dollars,
        discount: isKorean ? ware.discount.won * 10_000 : ware.discount.dollars,
        currency: isKorean ? .krw : .usd, stock: ware.stock, thumbnail: pictures.first)
      product.created = Timestamp(seconds: noon - ware.hours * 3_600, precision: .day)
      product.changed = product.created
      return ProductDetail.sample(
        of: product, description: isKorean ? ware.text.korean : ware.text.english,
        pictures: pictures)
    }
  }

  /// Two photos beside a folder, of a noon of this computer, for lists of files say local times.
  fileprivate static let folder = {
    var noon = tm()
    (noon.tm_year, noon.tm_mon, noon.tm_mday) = (123, 10, 15)
    (noon.tm_hour, noon.tm_isdst) = (12, -1)
    let modified = Timestamp(seconds: Int64(mktime(&noon)))
    return FolderListing([
      FolderEntry(name: "2023", isFolder: true),
      FolderEntry(name: "bike.jpg", isFolder: false, bytes: 4_240_000, modified: modified),
      FolderEntry(name: "자전거.png", isFolder: false, bytes: 812, modified: modified),
    ])
  }()
}

extension PictureMarket.Ware {
  /// Something without a discount, of which the picture says enough.
  fileprivate init(
    _ korean: String, _ english: String, _ seller: (String, String),
    _ price: (won: Int64, dollars: Int64), _ stock: Int64, hours: Int64, pictures: Int = 1
  ) {
    self.init(
      name: (korean, english), seller: seller,
      text: ("거의 새것입니다. 직접 오셔서 보고 가져가세요.", "As good as new. Come, look and take it with you."),
      price: price, discount: (0, 0), stock: stock, hours: hours, pictures: pictures)
  }
}

extension Product {
  /// Whether a query by sellers and by a word of the name finds it.
  fileprivate func isFound(by query: ProductQuery) -> Bool {
    (query.sellers.isEmpty || query.sellers.contains(seller.id))
      && (query.text.isEmpty || name.lowercased().contains(query.text.lowercased()))
      && query.filters.allSatisfy { $0.passes(self) }
  }
}

/// Pictures that fade from a colour of their own to black, from top to bottom.
private struct FadingPictures: PictureLoader {
  func load(_ want: PictureWant) async throws(PictureError) -> any DrawablePicture {
    let whole = PixelSize(width: 640, height: 480)
    let size = want.fit == .cover ? want.box : (want.part?.size ?? whole).fitted(into: want.box)
    let color = RGB(
      hex: want.picture.original.utf8.reduce(7) { ($0 &* 31 &+ UInt32($1)) &* 2_654_435 })
    let rows = (0..<size.height).flatMap { row in
      let share = size.height - row
      let pixel = [color.red, color.green, color.blue].map { UInt8(Int($0) * share / size.height) }
      return Array(repeating: pixel + [255], count: size.width).joined()
    }
    let art = BlockArt(pixels: rows, width: size.width, height: size.height)
    return PictureTile.cells(art, of: whole)
  }
}

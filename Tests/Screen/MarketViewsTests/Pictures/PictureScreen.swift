import EditorKit
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

/// The screens of which there are pictures.
nonisolated enum PictureScreen: CaseIterable {
  // Products
  case grid, list, wideList, plainList, emptyMarket, marketAway, offline, tooSmall
  case saleGrid, saleList, saleWideList, plainSaleList, reservedDetail, describedDetail, soldDetail
  case detailOfOther, detailOfOwn, plainDetail, picture, sellerCard
  // Questions
  case askedDetail, ownAskedDetail, plainAskedDetail, questions, asking, answering
  // Searching
  case search, searchSyntax, searchWithoutResults, savedSearches, searchName, filter, orders
  // Menus
  case actions, pictureMenu, palette, paletteNarrowed, link
  case helpOfGrid, helpOfDetail, helpOfForm
  // Own things
  case favorites, favoritesNarrowed, favoriteNote, alertMenu, alertAmount, alerts
  case history, productCode
  // Markets
  case markets, addMarket, marketAdded, serve, everywhere, everywhereMerged
  // Settings
  case settings, settingChoice, settingLine, settingKey
  // Selling
  case myProducts, unanswered, sellerName, drafts, waitingDraft, waitingDraftPassword
  case emptyForm, filledForm, formWithProblems, descriptionInForm
  case photoPath, picker, telephone, currencies
  case password, wrongPassword, questionToList, questionToEdit, questionToDelete
  case sending, conflict
  // Several products
  case markedGrid, bulkMenu, bulkPrice, bulkQuestion, bulkDone

  static let sizes = [CellSize(columns: 80, rows: 24), CellSize(columns: 120, rows: 36)]

  var sizes: [CellSize] {
    switch self {
    case .tooSmall: [CellSize(columns: 19, rows: 5)]
    case .wideList, .saleWideList: [CellSize(columns: 160, rows: 45)]
    default: Self.sizes
    }
  }

  @MainActor func picture(in language: Language, _ size: CellSize) async throws -> Canvas {
    let market = try await market(in: language, self == .tooSmall ? Self.sizes[0] : size)
    return market.picture(in: size) { context in
      guard [.plainList, .plainDetail, .plainSaleList, .plainAskedDetail].contains(self) else {
        return
      }
      context.isPlain = true
      context.pictures = .none
      context.theme = Theme(.dark, scheme: .plain, strikesThrough: false)
    }
  }

  /// A market on which the screen is on top.
  @MainActor func market(in language: Language, _ size: CellSize) async throws -> PictureMarket {
    let market = PictureMarket(
      language, size, [.grid, .helpOfGrid, .markedGrid, .saleGrid].contains(self) ? .grid : .list,
      drafts: drafts(in: language), seen: self == .offline ? PictureMarket.seen(language) : nil,
      isDescribed: isOfSale, isAsked: isAsked,
      address: self == .productCode ? "https://market.example" : nil,
      receiver: self == .telephone ? FakePhotoReceiver(PhotoRoutes([.local(Self.wlan)])) : nil)
    switch self {
    case .emptyMarket: try await market.stage.show([])
    case .offline: try await market.startOffline()
    case .detailOfOwn, .ownAskedDetail, .questions, .answering: try await market.open(selecting: 1)
    case .detailOfOther, .plainDetail, .picture, .sellerCard: try await market.open(selecting: 3)
    case .describedDetail: try await market.open(selecting: 2)
    case .soldDetail: try await market.open(selecting: 5)
    default: try await market.open()
    }
    try await goThere(market)
    return market
  }

  private var isAsked: Bool {
    switch self {
    case .askedDetail, .ownAskedDetail, .plainAskedDetail, .questions, .asking, .answering: true
    default: false
    }
  }

  /// Whether some products say what they are, one is reserved and one is sold.
  private var isOfSale: Bool {
    switch self {
    case .saleGrid, .saleList, .saleWideList, .plainSaleList, .reservedDetail, .describedDetail,
      .soldDetail:
      true
    default: false
    }
  }

  private func drafts(in language: Language) -> [Draft] {
    guard
      [.drafts, .waitingDraft, .waitingDraftPassword, .myProducts, .unanswered].contains(self)
    else {
      return []
    }
    let names =
      language == .korean ? ["접이식 자전거", "등산화 270"] : ["Folding bicycle", "Walking boots"]
    let isWaiting = [.waitingDraft, .waitingDraftPassword].contains(self)
    return zip(names, 1...).map { name, number in
      var values = FormValues()
      (values[.name], values[.price]) = (name, language == .korean ? "240000" : "$240")
      return Draft(
        id: Draft.ID(rawValue: "\(number)"),
        target: self == .myProducts && number == 2
          ? .edit(Product.ID(rawValue: 65)) : .registration,
        key: IdempotencyKey(rawValue: "\(number)"), isWaiting: isWaiting, values: values,
        changed: Timestamp(seconds: PictureMarket.noon - Int64(number) * 7_200))
    }
  }

  @MainActor private func goThere(_ market: PictureMarket) async throws {
    switch self {
    case .grid, .list, .wideList, .plainList, .emptyMarket, .offline, .tooSmall, .saleGrid,
      .saleList, .saleWideList, .plainSaleList:
      break
    case .marketAway: try await market.loseMarket()
    case .detailOfOther, .detailOfOwn, .plainDetail, .reservedDetail, .describedDetail,
      .soldDetail:
      try await market.openDetail()
    case .askedDetail, .ownAskedDetail, .plainAskedDetail, .questions, .asking, .answering:
      try await ask(market)
    case .picture: try await market.press(.enter, .enter)
    case .sellerCard:
      try await market.press("s")
      try await market.settle { market.navigator.sellerVisit?.since != nil }
    case .search: try await market.press("/")
    case .searchSyntax: try await market.press("/", .function(1))
    case .searchWithoutResults:
      try await market.press("/")
      try await market.type(market.words("자물쇠 할인", "lock sale"))
      try await market.press(.enter)
      try await market.settle { market.stage.browser.wider.choices.count == 2 }
    case .savedSearches, .searchName: try await openSavedSearches(market)
    case .filter: try await market.press("f")
    case .orders: try await market.press("o")
    case .actions: try await market.press("x")
    case .pictureMenu: try await market.press("P")
    case .palette: try await market.press(":")
    case .paletteNarrowed:
      try await market.press(":")
      try await market.type(market.words("가격", "price"))
    case .link:
      market.stage.screen(80, 24).handle(.paste("https://far.example/market/products/12"))
    case .helpOfGrid: try await market.press("?")
    case .helpOfDetail:
      try await market.openDetail()
      try await market.press("?")
    case .helpOfForm:
      try await market.openForm()
      try await market.press(.function(1))
    case .favorites, .favoritesNarrowed, .favoriteNote: try await openFavorites(market)
    case .alertMenu: try await market.press("t")
    case .alertAmount: try await market.press("t", .enter)
    case .alerts: try await openAlerts(market)
    case .history:
      try await market.openDetail()
      try await market.press(.escape, "H")
    case .productCode: try await market.press("#")
    case .markets, .addMarket, .marketAdded, .serve: try await openMarkets(market)
    case .everywhere, .everywhereMerged: try await searchEverywhere(market)
    case .settings: try await market.press(",")
    case .settingChoice: try await market.press(",", .enter)
    case .settingLine: try await market.press(",", "j", "j", .enter)
    case .settingKey: try await market.press(",", "j", "j", "j", "j", .enter)
    case .myProducts: try await market.openMyProducts()
    case .unanswered:
      market.askQuestions()
      try await market.openMyProducts()
      try await market.settle { market.navigator.draftList?.questions.count == 3 }
    case .sellerName: try await market.press("N")
    case .drafts:
      try await market.press("n")
      try await market.settle { market.top is DraftsModel }
    case .waitingDraft, .waitingDraftPassword:
      market.reachMarket()
      try await market.settle { market.top is OutboxPromptModel }
      if self == .waitingDraftPassword { try await market.press("y") }
    case .emptyForm: try await market.openForm()
    case .filledForm: try await market.fillForm()
    case .formWithProblems: try await market.fillFormWrongly()
    case .descriptionInForm:
      try await market.fillForm()
      market.stage.navigator.selling?.form?.edit { $0.focus(.description) }
    case .photoPath:
      try await market.openForm()
      try await market.press(.enter)
    case .picker:
      try await market.openForm()
      try await market.press(.enter, .enter, .down, " ")
    case .telephone: try await openTelephone(market)
    case .currencies:
      try await market.openForm()
      market.stage.navigator.selling?.form?.edit { $0.focus(.currency) }
      try await market.press(.enter)
    case .password, .wrongPassword, .questionToEdit, .questionToDelete, .sending, .conflict,
      .questionToList:
      try await sell(market)
    case .markedGrid, .bulkMenu, .bulkPrice, .bulkQuestion, .bulkDone:
      try await changeSeveral(market)
    }
  }

  // MARK: Ways

  private static let wlan = LocalAddress(host: "192.168.0.12", interface: "wlan0", isLikely: true)

  /// Opens the page for a telephone's photos, of which one has come and another is on its way.
  @MainActor private func openTelephone(_ market: PictureMarket) async throws {
    try await market.openForm()
    try await market.press("p")
    let (model, receiver) = (market.top as? TelephoneModel, market.receiver)
    try await market.settle { receiver?.opened.isEmpty == false }
    receiver?.tell(
      .opened(address: "HTTP://192.168.0.12:38211/U/ABCDEFGHIJKLMNOPQRSTUVWXYZ", port: 38_211),
      .photo(0, UploadedPhoto(name: "bike.jpg", bytes: Array("bike.jpg".utf8))),
      .progress(upload: 1, name: "wheel.jpg", percent: 43))
    try await market.settle {
      model?.uploads.isEmpty == false && market.stage.form?.photos.isBusy == false
        && receiver?.commands.isEmpty == false
    }
  }

  @MainActor private func ask(_ market: PictureMarket) async throws {
    try await market.openDetail()
    let detail = market.stage.browser.detail
    try await market.settle {
      detail.product.flatMap { detail.questions.page(about: $0.id) }?.questions.count == 3
    }
    switch self {
    case .questions: try await market.press("Q", "j")
    case .answering:
      try await market.press("Q", "j", "j", .enter)
      try await market.settle { market.stage.form != nil }
      try await market.type(market.words("네, 오늘 저녁에 오세요.", "Yes, come this evening."))
      try await market.press(.tab, " ")
    case .asking:
      try await market.press("a")
      try await market.settle { market.stage.form != nil }
      try await market.type(market.words("아직 있나요?", "Is it still there? I could come today."))
      try await market.press(.tab)
      try await market.type(market.words("170000", "170"))
    default: break
    }
  }

  @MainActor private func openSavedSearches(_ market: PictureMarket) async throws {
    for (name, line) in [
      (market.words("자전거", "Bicycles"), market.words("자전거 ..200000원", "bike ..200 usd")),
      (market.words("조명", "Lamps"), market.words("스탠드 할인", "lamp sale")),
    ] { _ = await market.store.save(SavedSearch(name: name, text: line)) }
    try await market.press("/")
    guard self == .searchName else {
      try await market.press(.tab)
      return try await market.settle { (market.top as? PersonalListModel)?.list.count == 2 }
    }
    try await market.type(market.words("머그 재고", "mug stock"))
    try await market.press(.control("s"))
  }

  @MainActor private func openFavorites(_ market: PictureMarket) async throws {
    let home = FavoriteMarket(
      key: MarketKey(rawValue: "server-home"), name: "home", location: "http://home/")
    let local = FavoriteMarket(key: .local, name: nil, location: nil)
    for (index, place) in [(3, home), (1, local), (2, local)] {
      let detail = market.products[index]
      _ = await market.store.add(detail.product, description: detail.description, of: place)
    }
    _ = await market.store.write(
      market.words("파란색 있는지 묻기", "ask for the blue one"),
      to: FavoriteKey(.product(market.products[1].id), in: .local))
    _ = await market.store.save(
      SavedSearch(name: market.words("조명", "Lamps"), text: market.words("스탠드 할인", "lamp sale")))
    await beginAlert(market, isMet: true)
    try await market.press("i")
    guard let model = market.top as? PersonalListModel else { return }
    try await market.settle {
      let items = model.sections.flatMap(\.items)
      return items.count == 3 && items.allSatisfy(model.isRead)
    }
    if self == .favoriteNote { try await market.press("n") }
    guard self == .favoritesNarrowed else { return }
    try await market.press("/")
    try await market.type(market.words("카메라", "camera"))
    let pauses = market.stage.clock.sleeps(of: .milliseconds(150))
    while pauses.untakenCount > 0 { try await pauses.next().answer(()) }
    try await market.settle { model.list.count < 3 }
  }

  /// Waits for lamps, of which one has come where that is so.
  @MainActor private func beginAlert(_ market: PictureMarket, isMet: Bool) async {
    _ = await market.store.add(
      Alert(
        market: .local, subject: .search(market.words("스탠드", "lamp")),
        name: market.words("조명", "Lamps"), condition: .anythingNew,
        state: Alert.State(newest: Product.ID(rawValue: 1))))
    guard isMet, let alert = await market.store.alerts().first else { return }
    _ = await market.store.record([AlertObservation(alert.id, [market.products[4].product])])
  }

  @MainActor private func openAlerts(_ market: PictureMarket) async throws {
    await beginAlert(market, isMet: true)
    _ = await market.store.add(
      Alert(
        market: .local, subject: .product(market.products[0].id),
        name: market.products[0].product.name,
        condition: .below(
          market.language == .korean
            ? Money(hundredths: 15_000_000, currency: .krw)
            : Money(hundredths: 15_000, currency: .usd))))
    try await market.press("T")
    try await market.settle { (market.top as? PersonalListModel)?.list.count == 3 }
  }

  @MainActor private func openMarkets(_ market: PictureMarket) async throws {
    try await market.press("w")
    try await market.others.glances(of: "local").next().answer(.sample(12))
    try await market.others.glances(of: "server-home").next().answer(
      .sample(1_204, milliseconds: 4, api: "2023"))
    // The last one still thinks about it while an address is typed.
    let count = self == .addMarket ? 2 : 3
    if count == 3 {
      try await market.others.glances(of: "server-far.example").next().fail(.unreachable(.refused))
    }
    let menu = market.top as? MarketsModel
    try await market.settle { menu?.rows.prefix(count).allSatisfy { $0.state != .asking } == true }
    switch self {
    case .addMarket: try await market.press("a")
    case .marketAdded:
      try await market.press("a")
      try await market.type("shop.example")
      try await market.press(.enter)
      try await market.others.glances(of: "server-shop.example").next().answer(
        .sample(57, milliseconds: 31, api: "2023"))
      try await market.settle { (market.top as? PromptModel)?.subject != .marketAddress }
    case .serve:
      try await market.press("s")
      try await market.others.glances(of: "server-serve").next().answer(
        .sample(12, milliseconds: 1, api: "2023"))
      let serve = market.top as? MarketServeModel
      try await market.settle { serve?.phase != .asking }
    default: break
    }
  }

  @MainActor private func searchEverywhere(_ market: PictureMarket) async throws {
    market.navigator.searchEverywhere(SearchRequest(reading: market.words("책", "book")))
    func page(_ indices: ClosedRange<Int>) -> ProductPage {
      let products = market.products[indices].map(\.product)
      return ProductPage(products: products, total: .exactly(products.count), next: nil)
    }
    let search = market.top as? MultiMarketSearchModel
    try await market.others.finds(of: "local").next().answer(page(3...6))
    try await market.settle { search?.sources.first?.state != .asking }
    try await market.others.finds(of: "server-home").next().answer(page(6...8))
    try await market.others.finds(of: "server-far.example").next().fail(.unreachable(.refused))
    try await market.settle { search?.isAsking == false }
    if self == .everywhereMerged { try await market.press("v") }
  }

  @MainActor private func sell(_ market: PictureMarket) async throws {
    let repository = market.stage.repository
    if self == .questionToList {
      try await market.fillForm()
      try await market.press(.control("s"))
      return try await market.settle { market.top is ConfirmationModel }
    }
    try await market.press("j", self == .questionToDelete ? "D" : "e")
    if self == .password { return }
    try await market.type("secret")
    guard self != .wrongPassword else {
      market.put([.enter])
      try await repository.verifications.next().fail(.wrongPassword)
      let prompt = market.top as? PasswordModel
      return try await market.settle { prompt?.gate.phase == .asking(.wrongPassword) }
    }
    try await market.press(.enter)
    if self == .questionToDelete {
      return try await market.settle { market.top is ConfirmationModel }
    }
    try await market.settle { market.stage.form != nil }
    let description = market.products[1].description.dropLast() + "!"
    market.fill([
      .price: market.words("15000", "9"), .stock: "7", .description: String(description),
    ])
    try await market.press(.control("s"))
    try await market.settle { market.top is ConfirmationModel }
    if self == .questionToEdit { return }
    market.put([.enter])
    let update = try await repository.updates.next()
    guard self == .conflict else { return }
    var theirs = market.products[1]
    theirs.product.stock = 6
    theirs.version = ProductVersion(rawValue: "2")
    update.fail(.conflict(current: theirs))
    try await market.settle { market.top is ConflictModel }
  }

  @MainActor private func changeSeveral(_ market: PictureMarket) async throws {
    try await market.openMyProducts()
    try await market.press(" ", " ")
    if self == .markedGrid { return }
    try await market.press("x")
    if self == .bulkMenu { return }
    try await market.press("1")
    if self == .bulkPrice { return }
    try await market.type("-10%")
    try await market.press(.enter)
    try await market.settle { market.top is PasswordModel }
    try await market.type("secret")
    try await market.press(.enter)
    try await market.settle { (market.top as? BulkEditModel)?.phase == .asking }
    if self == .bulkQuestion { return }
    market.put([.enter])
    try await market.stage.repository.updates.next().answer(market.products[1])
    try await market.stage.repository.updates.next().fail(.unreachable(.timedOut))
    try await market.settle { (market.top as? BulkEditModel)?.phase == .done }
  }
}

extension PictureMarket {
  /// What was seen of the market before.
  static func seen(_ language: Language) -> SeenProducts {
    let products = PictureMarket(language, CellSize(columns: 80, rows: 24)).products.map(\.product)
    return SeenProducts(
      page: ProductPage(products: products, total: .exactly(products.count), next: nil),
      products: products, capabilities: .full, at: noon - 7_200)
  }

  /// Begins where the market does not answer.
  func startOffline() async throws {
    stage.browser.start()
    try await stage.repository.pages.next().fail(.unreachable(.refused))
    await until {
      stage.browser.reconnection.isNeeded && stage.browser.feed.seenAt != nil
        && !stage.browser.feed.isPreview
    }
  }

  func loseMarket() async throws {
    stage.browser.refresh()
    try await stage.repository.pages.next().fail(.unreachable(.refused))
    try await settle { stage.browser.reconnection.isNeeded }
  }

  /// Opens the selected product, with its prices and what else its seller has.
  func openDetail() async throws {
    try await press(.enter)
    let detail = stage.browser.detail
    try await settle {
      detail.product.map {
        detail.otherProducts.others(besides: $0.id) != nil
          && stage.browser.seenTracker.history?.id == $0.id
      } == true
    }
  }

  /// Others ask here and on the server `home`.
  func askQuestions() {
    let texts = [
      words("아직 있나요? 오늘 저녁에 가지러 갈 수 있습니다.", "Is it still there? I could come by this evening."),
      words("손잡이에 흠집이 있나요?", "Are there scratches on the handle?"),
      words("몇 밀리리터인가요?", "How much do they hold?"),
    ]
    for (market, numbers) in [("local", [0, 2]), ("server-home", [1])] {
      let key = MarketKey(rawValue: market)
      others.accounts[key] = SellerAccount(identifier: SellerIdentifier(secret: "me"))
      var news = QuestionNews(market: key, location: nil, tellsAll: false)
      news.received = numbers.map { number in
        Question(
          id: Question.ID(rawValue: Int64(9 - number)), product: products[1].id,
          text: texts[number],
          offer: number == 0
            ? products[1].product.pricing.price.map {
              Money(hundredths: $0.toPay.hundredths * 9 / 10, currency: $0.currency)
            } : nil, asker: number == 2 ? nil : words("민아", "Mina"),
          asked: Timestamp(seconds: Self.noon - Int64(number + 1) * 3_000))
      }
      news.products = [products[1].id: products[1].product]
      self.news[market] = news
    }
  }

  func openMyProducts() async throws {
    try await press("m")
    try await settle { !stage.browser.feed.isStale && stage.browser.feed.count == 3 }
  }

  // MARK: Forms

  func openForm() async throws {
    try await press("n")
    try await settle { stage.form != nil }
  }

  func fill(_ texts: KeyValuePairs<ProductField, String>) {
    navigator.selling?.form?.edit { form in
      for (field, text) in texts {
        form.focus(field)
        form.edit(TextChange { $0.buffer.selectAll() })
        _ = form.paste(text)
      }
    }
  }

  func fillForm() async throws {
    try await openForm()
    let form = navigator.selling?.form
    form?.addPhotos(named: "/bike.jpg /wheel.jpg")
    try await settle { form?.form.photos.isBusy == false && form?.form.photos.photos.count == 2 }
    fill([
      .name: words("접이식 자전거", "Folding bicycle"), .price: words("24만", "$240"),
      .discount: "10%", .stock: "1,200",
      .description: words(
        "작년 봄에 샀습니다.\n\n흠집이 조금 있지만 잘 굴러갑니다.",
        "Bought last spring.\n\nA few scratches, but it rides well."),
    ])
    form?.edit { form in
      form.setPassword("secret")
      form.focus(.name)
    }
    try await settle()
  }

  func fillFormWrongly() async throws {
    try await openForm()
    fill([
      .name: words("차", "Ca"), .price: words("24만", "$240"), .discount: words("26만", "260"),
      .stock: words("많이", "many"),
    ])
    try await press(.control("s"))
  }
}

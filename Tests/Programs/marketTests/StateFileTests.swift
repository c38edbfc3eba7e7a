import Expectations
import Glibc
import MarketModel
import MarketViewModels
import Posix
import TestSupport
import Testing

@testable import market

struct StateFileTests {
  private let state: SessionState = {
    var navigationState = NavigationState()
    navigationState.request = SearchRequest(
      reading: "\"road bike\" <200000 @Kim sale -kids sort:price-asc")
    navigationState.sellers = [Seller.ID(rawValue: 7), Seller.ID(rawValue: -.max)]
    navigationState.row = 57
    navigationState.product = Product.ID(rawValue: 12)
    navigationState.opened = Product.ID(rawValue: 13)
    navigationState.sellerPage = NavigationState.SellerPage(
      seller: Seller.ID(rawValue: 7), name: "Kim \u{1B}[31m\"", product: Product.ID(rawValue: 12),
      before: NavigationState.ListState(
        request: SearchRequest(reading: "lamp <5000"), row: 3, product: Product.ID(rawValue: 9)))
    var state = SessionState(
      market: .file("/srv/shop.sqlite"), name: "shop", navigationState: navigationState)
    state.turned = [
      .local: [ShownPicture(product: Product.ID(rawValue: 13), index: 2)],
      MarketKey(rawValue: "server-1"): [
        ShownPicture(product: Product.ID(rawValue: -1), index: 1),
        ShownPicture(product: Product.ID(rawValue: 2), index: 4),
      ],
    ]
    return state
  }()

  private let viewState: ViewState = {
    var viewState = ViewState()
    viewState.cardColumns = 48
    viewState.listWidthFraction = ListWidthFraction(66, of: 120)
    viewState.arrangement = .list
    viewState.photoFolder = "/home/kim/사진 \"1\"\n2"
    return viewState
  }()

  private func chosen(_ choose: (inout ViewState) -> Void) -> ViewState {
    var viewState = ViewState()
    choose(&viewState)
    return viewState
  }

  private func write(_ text: String, in folder: borrowing TemporaryFolder) throws {
    try FileContent(bytes: Array(text.utf8)).write(to: folder.path(of: "state"))
  }

  private func lines(in folder: borrowing TemporaryFolder) throws -> [Substring] {
    let bytes = try FileContent(of: folder.path(of: "state")).bytes
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  @Test func `all is read by the next run as it was kept, and nobody else reads it`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "state")

    await StateFile(folder: path).keep(state)
    await StateFile(folder: path).keep(viewState)

    let content = StateFile(folder: path).content
    expect(content.session?.navigationState, state.navigationState)
    expect(content.turned, state.turned)
    expect(content.viewState, viewState)
    var status = stat()
    #expect(stat(path + "/state", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(arguments: ["session", "pictures", "cards", "list", "arrangement", "photo-folder"])
  func `a damaged section costs itself alone`(name: String) async throws {
    let folder = try TemporaryFolder()
    await StateFile(folder: folder.path).keep(state)
    await StateFile(folder: folder.path).keep(viewState)
    let kept = try lines(in: folder)
    try write(
      kept.map { ($0.hasPrefix(name + " ") ? $0.dropLast(1) + "\u{1}" : $0) + "\n" }.joined(),
      in: folder)

    let content = StateFile(folder: folder.path).content

    let view = content.viewState
    let read = [
      "session": content.session != nil, "pictures": !content.turned.isEmpty,
      "cards": view.cardColumns != nil, "list": view.listWidthFraction != nil,
      "arrangement": view.arrangement != nil, "photo-folder": view.photoFolder != nil,
    ]
    expect(read.filter { !$0.value }.map(\.key), [name])
  }

  @Test func `runs at once take nothing from each other, and of one section the last wins`()
    async throws
  {
    let folder = try TemporaryFolder()
    let (one, other) = (StateFile(folder: folder.path), StateFile(folder: folder.path))
    var moved = state
    moved.navigationState.row = 3

    async let cards: Void = one.keep(chosen { $0.cardColumns = 48 })
    async let divider: Void = other.keep(
      chosen { $0.listWidthFraction = ListWidthFraction(66, of: 120) })
    async let place: Void = other.keep(state)
    _ = await (cards, divider, place)
    await one.keep(moved)

    let content = other.content
    expect(content.viewState.cardColumns, 48)
    expect(content.viewState.listWidthFraction, ListWidthFraction(66, of: 120))
    expect(content.session?.navigationState.row, 3)
  }

  @Test func `what a later version wrote stays`() async throws {
    let folder = try TemporaryFolder()
    try write("sparkles yes\ncards 24\n\u{0} \n", in: folder)

    await StateFile(folder: folder.path).keep(chosen { $0.cardColumns = 60 })

    try expect(lines(in: folder), ["sparkles yes", "cards 60", "\u{0} "])
  }

  @Test func `where nothing can be kept the program goes on`() async throws {
    let folder = try TemporaryFolder()
    try write("", in: folder)
    let file = StateFile(folder: folder.path(of: "state"))

    await file.keep(viewState)

    expect(file.content.viewState, ViewState())
  }

  @Test func `who is forgotten keeps the layout, and no part of a run that was killed`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = StateFile(folder: folder.path)
    await file.keep(state)
    await file.keep(viewState)
    let draft = folder.path(of: "state.0123456789abcdef")
    try FileContent(bytes: state.json).write(to: draft)
    let day = timespec(tv_sec: time(nil) - 86_400, tv_nsec: 0)
    utimensat(AT_FDCWD, draft, [day, day], 0)

    try file.clear()

    expect(Folder.names(in: folder.path).sorted(), [".lock", "state"])
    try expect(lines(in: folder), ["cards 48", "list 5500", "arrangement \"list\""])
  }

  @Test func `a file with nothing else is deleted, and none is no error`() async throws {
    let folder = try TemporaryFolder()
    let file = StateFile(folder: folder.path)
    try StateFile(folder: folder.path(of: "none")).clear()
    try file.clear()
    await file.keep(state)

    try file.clear()

    expect(Folder.names(in: folder.path), [".lock"])
  }

  @Test(arguments: [MarketLocation.local, .server(address: "http://market.example/")])
  func `every kind of market comes back`(market: MarketLocation) async throws {
    let folder = try TemporaryFolder()
    let state = SessionState(market: market)

    await StateFile(folder: folder.path).keep(state)

    expect(StateFile(folder: folder.path).content.session, state)
  }

  @Test(arguments: [
    "", "\0", "[]", "{}", "{\"version\":1}", "{\"version\":2,\"market\":{}}",
    "{\"version\":1,\"market\":[]}", "{\"version\":1,\"market\":{\"file\":\"shop.sqlite\"}}",
    "{\"version\":1,\"market\":{}", String(repeating: "[", count: 60_000),
  ])
  func `what is no place counts as none`(text: String) throws {
    let folder = try TemporaryFolder()
    try write("session \(text)\npictures \(text)\ncards \(text)\n", in: folder)

    let content = StateFile(folder: folder.path).content

    expect(content.session, nil)
    expect(content.turned, [:])
    expect(content.viewState, ViewState())
  }

  @Test func `pictures of many markets leave room in the file, those of the shown one first`()
    async throws
  {
    let folder = try TemporaryFolder()
    var full = state
    for market in 0..<1_000 {
      full.turned[MarketKey(rawValue: "a-\(market)")] = (0..<1_000).map {
        ShownPicture(product: Product.ID(rawValue: .max - $0), index: 1_000)
      }
    }
    full.market = .local

    await StateFile(folder: folder.path).keep(full)

    let turned = StateFile(folder: folder.path).content.turned
    expect(turned.count, 30)
    expect(turned[.local], state.turned[.local])
  }

  @Test func `wrong parts of a forged file are left out`() throws {
    let folder = try TemporaryFolder()
    let text = """
      session {"version":1,"market":{"name":"\(String(repeating: "x", count: 5_000))"},"search":7,\
      "sellers":["x",null,3.5],"mine":true,"row":-1,"product":"","open":1e99,"seller":{"id":1}}
      pictures [{"pictures":[[1,2]]},{"market":"a","pictures":[[1],[1,-2],[1,1001],"x",[2,3]]},7]
      list 1000000000
      arrangement "spiral"
      photo-folder 7
      """
    try write(text, in: folder)

    let content = StateFile(folder: folder.path).content

    expect(content.session, SessionState(market: .local))
    expect(
      content.turned,
      [MarketKey(rawValue: "a"): [ShownPicture(product: Product.ID(rawValue: 2), index: 3)]])
    expect(content.viewState, chosen { $0.listWidthFraction = ListWidthFraction(1, of: 1) })
  }

  @Test func `a file that is too long counts as empty`() throws {
    let folder = try TemporaryFolder()
    try write("cards 48\n" + String(repeating: " ", count: 1 << 18), in: folder)

    expect(StateFile(folder: folder.path).content.viewState, ViewState())
  }
}

import Expectations
import Glibc
import MarketModel
import MarketViewModels
import Posix
import TestSupport
import Testing

@testable import market

struct SessionStateFileTests {
  private let state: SessionState = {
    var navigationState = NavigationState()
    navigationState.request = SearchRequest(
      reading: "\"road bike\" <200000 @Kim sale -kids sort:price-asc")
    navigationState.sellers = [Seller.ID(rawValue: 7), Seller.ID(rawValue: -.max)]
    navigationState.arrangement = .grid
    navigationState.row = 57
    navigationState.product = Product.ID(rawValue: 12)
    navigationState.opened = Product.ID(rawValue: 13)
    navigationState.sellerPage = NavigationState.SellerPage(
      seller: Seller.ID(rawValue: 7), name: "Kim \u{1B}[31m\"", product: Product.ID(rawValue: 12),
      before: NavigationState.ListState(
        request: SearchRequest(reading: "lamp <5000"), row: 3, product: Product.ID(rawValue: 9)))
    navigationState.pictures = [ShownPicture(product: Product.ID(rawValue: 13), index: 2)]
    var state = SessionState(
      market: .file("/srv/shop.sqlite"), name: "shop", navigationState: navigationState)
    state.turned = [
      .local: navigationState.pictures,
      MarketKey(rawValue: "server-1"): [
        ShownPicture(product: Product.ID(rawValue: -1), index: 1),
        ShownPicture(product: Product.ID(rawValue: 2), index: 4),
      ],
    ]
    return state
  }()

  @Test func `a place is read by the next run as it was kept, and nobody else reads it`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "state")

    await SessionStateFile(folder: path).keep(state)

    expect(SessionStateFile(folder: path).state, state)
    var status = stat()
    #expect(stat(path + "/place.json", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `a place that is forgotten leaves nothing of a run that was killed`() throws {
    let folder = try TemporaryFolder()
    for name in ["place.json", "place.json.0123456789abcdef"] {
      let path = folder.path(of: name)
      try FileContent(bytes: state.json).write(to: path)
      let day = timespec(tv_sec: time(nil) - 86_400, tv_nsec: 0)
      utimensat(AT_FDCWD, path, [day, day], 0)
    }

    try SessionStateFile(folder: folder.path).clear()

    expect(Folder.names(in: folder.path), [])
  }

  @Test(arguments: [MarketLocation.local, .server(address: "http://market.example/")])
  func `every kind of market comes back`(market: MarketLocation) throws {
    let state = SessionState(market: market)

    expect(SessionState(json: state.json), state)
  }

  @Test(arguments: [
    "", "\0", "[]", "{}", "{\"version\":1}", "{\"version\":2,\"market\":{}}",
    "{\"version\":1,\"market\":[]}", "{\"version\":1,\"market\":{\"file\":\"shop.sqlite\"}}",
    "{\"version\":1,\"market\":{}", String(repeating: "[", count: 60_000),
  ])
  func `what is no place counts as none`(text: String) throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: Array(text.utf8)).write(to: folder.path(of: "place.json"))

    expect(SessionStateFile(folder: folder.path).state, nil)
  }

  @Test func `pictures of many markets leave room in the file`() {
    var full = state
    for market in 0..<1_000 {
      full.turned[MarketKey(rawValue: "server-\(market)")] = (0..<1_000).map {
        ShownPicture(product: Product.ID(rawValue: .max - $0), index: 1_000)
      }
    }

    #expect(full.json.count < 60_000)
    expect(SessionState(json: full.json)?.turned.count, 30)
  }

  @Test func `wrong parts of a forged place are left out`() throws {
    let text = """
      {"version":1,"market":{"name":"\(String(repeating: "x", count: 5_000))"},"search":7,
       "sellers":["x",null,3.5],"mine":true,"view":"spiral","row":-1,"product":"","open":1e99,
       "seller":{"id":1},"pictures":[[1],[1,-2],[1,1001],"x",[2,3]]}
      """

    let state = try #require(SessionState(json: Array(text.utf8)))

    var expected = NavigationState()
    expected.pictures = [ShownPicture(product: Product.ID(rawValue: 2), index: 3)]
    expect(state, SessionState(market: .local, navigationState: expected))
  }

  @Test func `a file that is too long is no place`() throws {
    let folder = try TemporaryFolder()
    let text = "{\"version\":1,\"market\":{}}" + String(repeating: " ", count: 1 << 16)
    try FileContent(bytes: Array(text.utf8)).write(to: folder.path(of: "place.json"))

    expect(SessionStateFile(folder: folder.path).state, nil)
  }
}

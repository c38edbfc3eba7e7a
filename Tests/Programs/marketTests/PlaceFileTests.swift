import Glibc
import MarketModel
import MarketViewModels
import Posix
import TestSupport
import Testing

@testable import market

@Suite struct PlaceFileTests {
  private let place: LastPlace = {
    var whereabouts = Whereabouts()
    whereabouts.request = SearchRequest(
      reading: "\"road bike\" <200000 @Kim sale -kids sort:price-asc")
    whereabouts.sellers = [Seller.ID(rawValue: 7), Seller.ID(rawValue: -.max)]
    whereabouts.arrangement = .grid
    whereabouts.row = 57
    whereabouts.product = Product.ID(rawValue: 12)
    whereabouts.opened = Product.ID(rawValue: 13)
    whereabouts.sellerPage = Whereabouts.SellerPage(
      seller: Seller.ID(rawValue: 7), name: "Kim \u{1B}[31m\"", product: Product.ID(rawValue: 12),
      before: Whereabouts.ListPlace(
        request: SearchRequest(reading: "lamp <5000"), row: 3, product: Product.ID(rawValue: 9)))
    whereabouts.pictures = [TurnedPicture(product: Product.ID(rawValue: 13), index: 2)]
    var place = LastPlace(market: .file("/srv/shop.sqlite"), name: "shop", whereabouts: whereabouts)
    place.turned = [
      .local: whereabouts.pictures,
      MarketKey(rawValue: "server-1"): [
        TurnedPicture(product: Product.ID(rawValue: -1), index: 1),
        TurnedPicture(product: Product.ID(rawValue: 2), index: 4),
      ],
    ]
    return place
  }()

  @Test func `a place is read by the next run as it was kept, and nobody else reads it`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "state")

    await PlaceFile(folder: path).keep(place)

    #expect(PlaceFile(folder: path).place == place)
    var status = stat()
    #expect(stat(path + "/place.json", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `a place that is forgotten leaves nothing of a run that was killed`() throws {
    let folder = try TemporaryFolder()
    for name in ["place.json", "place.json.0123456789abcdef"] {
      let path = folder.path(of: name)
      try FileContent(bytes: place.json).write(to: path)
      let day = timespec(tv_sec: time(nil) - 86_400, tv_nsec: 0)
      utimensat(AT_FDCWD, path, [day, day], 0)
    }

    try PlaceFile(folder: folder.path).clear()

    #expect(Folder.names(in: folder.path) == [])
  }

  @Test(arguments: [MarketPlace.local, .server(address: "http://market.example/")])
  func `every kind of market comes back`(market: MarketPlace) throws {
    let place = LastPlace(market: market)

    #expect(LastPlace(json: place.json) == place)
  }

  @Test(arguments: [
    "", "\0", "[]", "{}", "{\"version\":1}", "{\"version\":2,\"market\":{}}",
    "{\"version\":1,\"market\":[]}", "{\"version\":1,\"market\":{\"file\":\"shop.sqlite\"}}",
    "{\"version\":1,\"market\":{}", String(repeating: "[", count: 60_000),
  ])
  func `what is no place counts as none`(text: String) throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: Array(text.utf8)).write(to: folder.path(of: "place.json"))

    #expect(PlaceFile(folder: folder.path).place == nil)
  }

  @Test func `pictures of many markets leave room in the file`() {
    var full = place
    for market in 0..<1_000 {
      full.turned[MarketKey(rawValue: "server-\(market)")] = (0..<1_000).map {
        TurnedPicture(product: Product.ID(rawValue: .max - $0), index: 1_000)
      }
    }

    #expect(full.json.count < 60_000)
    #expect(LastPlace(json: full.json)?.turned.count == 30)
  }

  @Test func `wrong parts of a forged place are left out`() throws {
    let text = """
      {"version":1,"market":{"name":"\(String(repeating: "x", count: 5_000))"},"search":7,
       "sellers":["x",null,3.5],"mine":true,"view":"spiral","row":-1,"product":"","open":1e99,
       "seller":{"id":1},"pictures":[[1],[1,-2],[1,1001],"x",[2,3]]}
      """

    let place = try #require(LastPlace(json: Array(text.utf8)))

    var expected = Whereabouts()
    expected.pictures = [TurnedPicture(product: Product.ID(rawValue: 2), index: 3)]
    #expect(place == LastPlace(market: .local, whereabouts: expected))
  }

  @Test func `a file that is too long is no place`() throws {
    let folder = try TemporaryFolder()
    let text = "{\"version\":1,\"market\":{}}" + String(repeating: " ", count: 1 << 16)
    try FileContent(bytes: Array(text.utf8)).write(to: folder.path(of: "place.json"))

    #expect(PlaceFile(folder: folder.path).place == nil)
  }
}

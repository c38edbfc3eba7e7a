import Expectations
import MarketAPI
import MarketModel
import Testing

struct PictureAddressTests {
  private let router = MarketRouter([ProductsDialect(variant: .y2023), ItemsDialect()])
  private let picture = Picture(number: 3, original: "9f86d081", thumbnail: "9f86d081-t")

  @Test(arguments: ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"])
  func `addresses are absolute`(base: String) {
    let addresses = PictureAddresses(base: base)

    expect(addresses.address(of: picture, .original), "http://127.0.0.1:8080/pictures/9f86d081")
    expect(
      addresses.address(of: picture, .thumbnail),
      "http://127.0.0.1:8080/pictures/9f86d081-t/thumbnail")
  }

  @Test(arguments: [PictureRendition.original, .thumbnail])
  func `the server finds what an address names`(rendition: PictureRendition) throws {
    let address = Wire.pictures.address(of: picture, rendition)
    let path = address.dropFirst("http://127.0.0.1:8080".count)

    let operation = try router.route(HTTPRequest(.get, RequestTarget(parsing: String(path))))
      .operation

    guard case .picture(let read) = operation else {
      Issue.record("read as \(operation.comparable)")
      return
    }
    expect(read, PictureAddress(locator: picture.locator(of: rendition), rendition: rendition))
  }

  @Test func `a picture may be kept for ever and passes for nothing else`() {
    let address = PictureAddress(locator: "9f", rendition: .thumbnail)

    let response = ProductsDialect(variant: .y2023).response(
      with: .picture(.file(Wire.png)), to: .picture(address), pictures: Wire.pictures)

    expect(response.body, Wire.png)
    expect(response.headers["Content-Type"], "image/png")
    expect(response.headers["Cache-Control"], "public, max-age=31536000, immutable")
    expect(response.headers["X-Content-Type-Options"], "nosniff")
    expect(response.headers["ETag"], "\"9f-thumbnail\"")
  }
}

import Expectations
import MarketModel
import MarketPages
import SafeTextKit
import TestSupport
import Testing

struct TerminalPageTests {
  @Test func `a plain list has a row for each product`() {
    let products = [
      Product.sample(id: 12, name: "Road bike", price: 240_000, discount: 60_000, stock: 1),
      Product.sample(id: 3, name: "도자기 머그컵 2개 세트", price: 12_000, stock: 0),
    ]

    let text = PageSamples.text(PageSamples.list(products, line: "bike", next: "c1"))

    expect(
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
      [
        "OpenMarket  127.0.0.1:8080 · 2 products",
        "",
        "/ bike",
        "",
        "#12 Road bike                                 ₩180,000             1 day ago",
        "#3  도자기 머그컵 2개 세트                        Sold             1 day ago",
        "",
        "a product: curl http://127.0.0.1:8080/products/12",
        "Next page: curl 'http://127.0.0.1:8080/?q=bike&after=c1'",
        "",
        "Open in the terminal",
        "  market --server http://127.0.0.1:8080",
        "  make install PREFIX=$HOME/.local",
        "    run where OpenMarket’s source code is, installs market",
        "",
      ])
  }

  @Test func `a plain product is what its page says`() {
    let seller = Seller(
      id: Seller.ID(rawValue: 3), name: "Hana", contact: SellerContact("hana@a.example"))
    let detail = ProductDetail.sample(
      of: .sample(id: 12, seller: seller, name: "Road bike", price: 240_000, discount: 60_000),
      description: "First line.\nSecond line.", pictures: [PageSamples.picture])

    let text = PageSamples.text(PageSamples.product(detail))

    expect(
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
      [
        "OpenMarket  127.0.0.1:8080 › #12",
        "",
        "Road bike",
        "₩180,000 (₩240,000) 25%",
        "3 left · 1 day ago (2023-11-14)",
        "Hana · Contact: hana@a.example",
        String(repeating: "─", count: 80),
        "First line.",
        "Second line.",
        "",
        "Photos, below http://127.0.0.1:8080:",
        "  /pictures/aa11",
        "",
        "Open in the terminal",
        "  market open http://127.0.0.1:8080/products/12",
        "  market ask 12 \"Is it still there?\" --server http://127.0.0.1:8080",
        "    asks the seller; everyone can read it",
        "  market --server http://127.0.0.1:8080",
        "  make install PREFIX=$HOME/.local",
        "    run where OpenMarket’s source code is, installs market",
        "",
      ])
  }

  @Test func `where there is nothing, what is typed to see the market is said`() {
    let text = PageSamples.text(PageContent(.notice("There is no page at this address"), at: nil))

    expect(
      text.split(separator: "\n").map(String.init),
      [
        "OpenMarket  127.0.0.1:8080",
        "There is no page at this address",
        "All products: curl http://127.0.0.1:8080/",
        "Open in the terminal",
        "  market --server http://127.0.0.1:8080",
        "  make install PREFIX=$HOME/.local",
        "    run where OpenMarket’s source code is, installs market",
      ])
  }

  @Test func `pictures are half blocks, three cards side by side`() {
    let bitmap = Bitmap(
      size: PixelSize(width: 24, height: 18),
      pixels: (0..<(24 * 18)).flatMap { _ in [200, 10, 0, 255] as [UInt8] })
    let products = (1...4).map { Product.sample(id: $0, thumbnail: PageSamples.picture) }

    let text = PageSamples.text(
      PageSamples.list(products), isColored: true,
      pictures: [PageSamples.picture: BlockPicture(bitmap)])

    let lines = text.split(separator: "\n")
    let first = lines.first { $0.contains("▀") }
    expect(first?.count { $0 == "▀" }, 3 * 24)
    expect(lines.count { $0.contains("▀") }, 2 * 9)
    expect(first?.contains("\u{1B}[38;2;200;10;0m\u{1B}[48;2;200;10;0m▀▀"), true)
  }

  @Test func `no text of a stranger steers the terminal`() {
    let hostile = "a\u{1B}]0;x\u{7}\u{9B}31m\r\n\u{202E}b\u{8}"
    let seller = Seller(id: Seller.ID(rawValue: 3), name: hostile, contact: SellerContact("x"))
    let product = Product.sample(seller: seller, name: hostile)
    let contents = [
      PageSamples.list([product], line: hostile, next: hostile, unknown: [hostile]),
      PageSamples.product(.sample(of: product, description: hostile)),
    ]

    for content in contents {
      let plain = PageSamples.text(content)
      let colored = PageSamples.text(content, isColored: true)
      let bare = colored.replacing(/\u{1B}\[[0-9;]*m/, with: "")

      for text in [plain, bare] {
        #expect(
          !text.unicodeScalars.contains {
            ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}"
          })
      }
    }
  }

  @Test(arguments: [false, true])
  func `no line of products is wider than 80 columns`(isColored: Bool) {
    let name = String(repeating: "가나다 ", count: 250)
    let products = (1...7).map {
      Product.sample(id: $0 * 1_000_000_000_000, name: name, price: 9_000_000_000_000, discount: 1)
    }
    // Addresses of stores are as long as a hash.
    let hash = String(repeating: "a", count: 64)
    let pictures = [Picture(original: hash, thumbnail: hash)]
    let contents = [
      PageSamples.list(products),
      PageSamples.product(.sample(of: products[0], description: name, pictures: pictures)),
    ]

    for content in contents {
      let text = PageSamples.text(content, isColored: isColored)
        .replacing(/\u{1B}\[[0-9;]*m/, with: "")
      for line in text.split(separator: "\n") where !line.contains("market ") {
        #expect(SafeText(String(line)).columns <= 80, "\(line)")
      }
    }
  }
}

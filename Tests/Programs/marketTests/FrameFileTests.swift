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

@testable import market

struct FrameFileTests {
  /// Screens of a person who keeps things on three markets of a settings file.
  private final class Scene {
    let folder: TemporaryFolder
    let navigator: Navigator
    private let markets: Markets
    private let others: FakeMarkets
    private static let now = Timestamp(seconds: 1_700_086_400)

    init() async throws {
      folder = try TemporaryFolder()
      let file = SettingsFile(path: folder.path(of: "settings.json"))
      let text = #"{ "servers": { "shop": "http://shop.example/", "attic": "/srv/attic.sqlite" } }"#
      try FileContent(bytes: Array(text.utf8)).write(to: file.path)
      let store = FileSettingsStore(
        file, home: folder.path,
        appearance: Appearance(
          options: MarketOptions(), colors: CustomColors(), keys: CustomKeyBindings()))
      let repository = GatedProductRepository()
      let clock = ManualClock()
      navigator = Navigator(
        browser: BrowserModel(
          repository: repository, arrangement: .list, pageSize: 20, clock: clock, jitter: .fixed(0)),
        gallery: PictureGallery(loader: NoPictures()), marketName: nil, clock: clock,
        now: { Self.now })
      markets = Markets(navigator)
      let directory = SettingsMarketDirectory(store, strings: { store.strings })
      markets.directory = directory
      others = FakeMarkets([], on: navigator, clock: clock)
      markets.opener = others
      let personal = PersonalFile.inMemory()
      navigator.program.settings = store
      navigator.program.personal = personal
      navigator.program.alerts = AlertScheduler(
        markets, store: personal, attention: UserPresence(), clock: clock)
      for (number, market) in directory.markets.enumerated() {
        let product = Product.sample(id: Int64(number + 1))
        let place = FavoriteMarket(
          key: market.key, name: market.name?.string, location: market.location.text)
        _ = await personal.add(product, description: "about", of: place)
        await personal.didView(product, of: place)
        _ = await personal.add(
          Alert(
            market: market.key, subject: .search("cup"), name: "cups", condition: .anythingNew,
            state: Alert.State(newest: Product.ID(rawValue: 1))))
      }
      navigator.browser.start()
      try await repository.pages.next().answer(
        ProductPage(products: [.sample(id: 1), .sample(id: 2)], total: .exactly(2), next: nil))
      await until { !navigator.browser.feed.isStale }
    }

    func lines() -> [String] {
      let window = Window(
        navigator: navigator, size: CellSize(columns: 120, rows: 36),
        context: RenderContext(
          theme: Theme(.dark, strikesThrough: true), strings: Strings(.english),
          pictures: .cells(.quadrant),
          now: Self.now))
      window.layOut()
      return window.draw().lines
    }
  }

  @Test(arguments: ["list", "favorites", "alerts", "history", "markets", "settings"])
  func `a frame is drawn without a look at any file`(screen: String) async {
    await #expect(processExitsWith: .success) { [screen = screen as String] in
      try await FrameFileTests.draw(screen)
    }
  }

  private static func draw(_ screen: String) async throws {
    let scene = try await Scene()
    switch screen {
    case "favorites": scene.navigator.openPersonalList(.favorites)
    case "history": scene.navigator.openPersonalList(.viewed)
    case "alerts": scene.navigator.openPersonalList(.alerts)
    case "markets": MarketsModel.open(on: scene.navigator)
    case "settings": SettingsModel.open(on: scene.navigator)
    default: break
    }
    let word = ["list": "₩", "settings": "page-size"][screen] ?? "shop"
    await until { scene.lines().joined().contains(word) }
    let lines = scene.lines()

    FileAccess.refuse()

    _exit(scene.lines() == lines ? 0 : 1)
  }
}

/// Files of the thread that asks for this.
private enum FileAccess {
  /// Has the kernel end the process where this thread looks for a file by its name.
  nonisolated static func refuse() {
    // Instructions of the kernel's filters (BPF): code, what to skip where it is so and is not, value.
    typealias Instruction = (code: UInt16, ifSo: UInt8, ifNot: UInt8, value: UInt32)
    let numbers = calls.map(UInt32.init)
    var filter: [Instruction] = [(0x20, 0, 0, 0)]
    for number in numbers {
      filter += [(0x15, 0, 1, number), (0x06, 0, 0, 0x8000_0000)]
    }
    filter.append((0x06, 0, 0, 0x7FFF_0000))
    // The header declares `prctl` with an open end, which Swift does not call.
    typealias Function =
      @convention(c) (Int32, UInt, UnsafeRawPointer?, UInt, UInt) -> Int32
    let control = unsafeBitCast(dlsym(nil, "prctl"), to: Function.self)
    filter.withUnsafeBytes { bytes in
      var program = (length: UInt16(filter.count), filter: bytes.baseAddress)
      precondition(control(38, 1, nil, 0, 0) == 0 && control(22, 2, &program, 0, 0) == 0)
    }
  }

  /// Numbers of the calls that take a path.
  private nonisolated static var calls: [Int] {
    #if arch(x86_64)
      // open, stat, lstat, access, readlink, openat, newfstatat, readlinkat, faccessat, statx, openat2,
      // faccessat2
      [2, 4, 6, 21, 89, 257, 262, 267, 269, 332, 437, 439]
    #else
      // faccessat, openat, readlinkat, newfstatat, statx, openat2, faccessat2
      [48, 56, 78, 79, 291, 437, 439]
    #endif
  }
}

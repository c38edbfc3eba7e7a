import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// Photos from a telephone, over the form.
struct TelephoneViewTests {
  private static let address = "HTTP://192.168.0.12:38211/U/ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  private static let wlan = PhotoRoutes.Route.local(
    LocalAddress(host: "192.168.0.12", interface: "wlan0", isLikely: true))
  private static let docker = PhotoRoutes.Route.local(
    LocalAddress(host: "172.17.0.1", interface: "docker0", isLikely: false))

  private let receiver: FakePhotoReceiver
  private let stage: Stage

  init() { (receiver, stage) = Self.make(PhotoRoutes([Self.wlan])) }

  private static func make(_ routes: PhotoRoutes) -> (FakePhotoReceiver, Stage) {
    let receiver = FakePhotoReceiver(routes)
    return (receiver, Stage(sells: true, receiver: receiver))
  }

  private func model(_ stage: Stage) -> TelephoneModel? { stage.top as? TelephoneModel }

  /// Opens a form and the layer for a telephone's photos over it.
  private func open(_ stage: Stage, _ receiver: FakePhotoReceiver) async {
    stage.press("n")
    await poll { stage.form != nil }
    stage.press("p")
    await poll {
      guard let model = model(stage) else { return false }
      return model.phase != .preparing || !receiver.opened.isEmpty
    }
  }

  private func openPage() async {
    await open(stage, receiver)
    receiver.tell(.opened(address: Self.address, port: 38_211))
    await poll { if case .open = model(stage)?.phase { true } else { false } }
  }

  private func receive(_ names: String...) async {
    for (number, name) in names.enumerated() {
      receiver.tell(.photo(number, UploadedPhoto(name: name, bytes: Array(name.utf8))))
    }
    await poll { stage.form?.photos.isBusy == false && receiver.commands.count == names.count }
  }

  private var page: TelephoneModel.Page? {
    if case .open(let page) = model(stage)?.phase { page } else { nil }
  }

  private func lines(
    _ columns: Int = 80, _ rows: Int = 24, theme: Theme = Theme(.dark, strikesThrough: true)
  ) -> [String] {
    stage.lines(columns, rows, .english, theme: theme)
  }

  @Test func `the code of the page stands beside its address`() async {
    await openPage()

    let lines = lines()
    #expect(lines[1].contains("▀▀▀") == false)
    #expect(lines[3].contains("▀▀▀▀▀"))
    #expect(lines.contains { $0.hasSuffix("Scan, choose photos, send.") })
    #expect(lines.joined().contains("HTTP://192.168.0.12"))
    #expect(lines.contains { $0.hasSuffix("open for 10 min") })
    #expect(lines.contains { $0.contains("plain HTTP") })
  }

  @Test func `without colours or room the address stands alone`() async {
    await openPage()

    for (columns, theme) in [
      (80, Theme(.dark, strikesThrough: true, hasColors: false)),
      (58, Theme(.dark, strikesThrough: true)),
    ] {
      let text = lines(columns, theme: theme).joined(separator: "\n")
      #expect(!text.contains("▀▀▀▀"))
      #expect(text.contains("Open this address on the telephone:"))
      #expect(text.replacing("\n", with: "").replacing(" ", with: "").contains(Self.address))
    }
  }

  @Test func `photos are in the form as they arrive, and can be put in order and removed`() async {
    await openPage()

    receiver.tell(.progress(upload: 0, name: "wheel.jpg", percent: 43))
    await until { model(stage)?.uploads.isEmpty == false }
    #expect(lines().contains { $0.contains("1  wheel.jpg") && $0.hasSuffix("43 %") })
    receiver.tell(.ended(upload: 0))
    await receive("wheel.jpg", "bike.jpg", "lock.jpg")
    expect(stage.form?.photos.photos.map(\.name), ["wheel.jpg", "bike.jpg", "lock.jpg"])
    expect(receiver.commands, (0..<3).map { .took(photo: $0, true) })
    stage.press("k", "k", "c")
    stage.press(.delete)

    expect(stage.form?.photos.photos.map(\.name), ["wheel.jpg", "lock.jpg"])
  }

  @Test func `the cover is the first photo, and J and K move one`() async {
    await openPage()
    await receive("a.jpg", "b.jpg", "c.jpg")

    stage.press("k", "c")
    expect(stage.form?.photos.photos.map(\.name), ["c.jpg", "a.jpg", "b.jpg"])
    stage.press("J")

    expect(stage.form?.photos.photos.map(\.name), ["a.jpg", "c.jpg", "b.jpg"])
  }

  @Test func `a sixth photo is refused`() async {
    await openPage()

    await receive("1.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg", "6.jpg")

    expect(stage.form?.photos.photos.count, 5)
    #expect(receiver.commands.contains(.took(photo: 5, false)))
  }

  @Test func `the page ends with the layer, and the form keeps its photos`() async {
    await openPage()
    await receive("bike.jpg")

    stage.press(.escape)
    await stage.settle()

    #expect(stage.top is FormModel && receiver.isClosed)
    expect(stage.form?.photos.photos.map(\.name), ["bike.jpg"])
  }

  @Test func `a second telephone is admitted or refused by a key`() async {
    await openPage()

    receiver.tell(.asked(device: 1), .asked(device: 2))
    await until { model(stage)?.asking.count == 2 }
    #expect(lines().last?.contains("Another telephone wants to send photos") == true)
    stage.press("y", "n")

    expect(receiver.commands, [.admit(device: 1, true), .admit(device: 2, false)])
    expect(model(stage)?.asking, [])
  }

  @Test func `after a minute without a telephone the firewall is suspected`() async throws {
    await openPage()

    try await stage.clock.sleeps(of: .seconds(60)).next().answer(())
    await until { page?.mayBeBlocked == true }
    #expect(lines().contains { $0.contains("A firewall may") })
    #expect(lines().contains { $0.hasSuffix("open for 9 min") })
    receiver.tell(.visited)
    await until { page?.mayBeBlocked == false }

    #expect(!lines().contains { $0.contains("A firewall may") })
  }

  @Test func `a page that ended says so, and opens nothing by itself`() async {
    await openPage()

    receiver.finish()
    await until { lines().contains { $0.contains("The page is closed") } }

    expect(receiver.opened, [Self.wlan])
  }

  @Test(arguments: [
    (RepositoryError.tooManyRequests(retryAfterSeconds: 7), "7 s", "Press p"),
    (.unreachable(.disconnected), "connection was lost", "Press p"),
    (.blocked, "blocked", "Press Esc, then a"), (.marketFull, "full", "Press Esc, then a"),
  ])
  func `what the server refuses is said with what to do next`(
    error: RepositoryError, reason: String, next: String
  ) async {
    let (receiver, stage) = Self.make(PhotoRoutes([.server]))
    await open(stage, receiver)

    receiver.tell(.refused(error))
    receiver.finish()
    await until { model(stage)?.phase == .closed(.refused(error)) }

    let text = stage.lines(160, 24, .english).joined(separator: " ")
    #expect(text.contains(reason) && text.contains(next), "\(text)")
  }

  @Test func `where the server has no page after all, this machine opens one`() async {
    let (receiver, stage) = Self.make(PhotoRoutes([.server]))
    await open(stage, receiver)

    receiver.offer(PhotoRoutes([Self.wlan]))
    receiver.tell(.refused(.unsupported))
    receiver.finish()
    await poll { receiver.opened.count == 2 }

    expect(receiver.opened, [.server, Self.wlan])
  }

  @Test func `of several addresses one is chosen before anything listens`() async {
    let second = PhotoRoutes.Route.local(
      LocalAddress(host: "10.0.0.5", interface: "eth0", isLikely: true))
    let (receiver, stage) = Self.make(PhotoRoutes([Self.wlan, second, Self.docker]))

    await open(stage, receiver)
    let lines = stage.lines(80, 24, .english)
    #expect(lines.contains { $0.contains("192.168.0.12  wlan0") })
    expect(receiver.opened, [])
    stage.press(.down, .enter)

    expect(receiver.opened, [second])
  }

  @Test func `where a telephone hardly comes this is said before anything listens`() async {
    for caution in [PhotoRoutes.Caution.ssh, .wsl, .container] {
      let (receiver, stage) = Self.make(PhotoRoutes([Self.wlan], caution: caution))

      await open(stage, receiver)
      #expect(stage.lines(80, 24, .english).contains { $0.contains("a telephone reaches") })
      expect(receiver.opened, [])
      stage.press(.enter)

      expect(receiver.opened, [Self.wlan])
    }
  }

  @Test(arguments: [
    (PhotoRoutes.Obstacle.noProgram, "openmarket-server"), (.noNetwork, "in no network"),
    (.command("ssh market@m upload-photo < FILE"), "ssh market@m upload-photo < FILE"),
  ])
  func `without a page one sentence says why`(obstacle: PhotoRoutes.Obstacle, words: String) async {
    let (receiver, stage) = Self.make(PhotoRoutes(obstacle: obstacle))

    await open(stage, receiver)

    #expect(stage.lines(80, 24, .english).contains { $0.contains(words) })
    expect(receiver.opened, [])
  }
}

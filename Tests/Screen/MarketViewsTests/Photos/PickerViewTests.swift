import EditorKit
import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// The folder that is looked through for photos, over the form.
struct PickerViewTests {
  private static let day = Timestamp(seconds: 1_700_000_000, precision: .day)

  private static func file(_ name: String, _ bytes: Int) -> FolderEntry {
    FolderEntry(name: name, isFolder: false, bytes: bytes, modified: day)
  }

  private static let shop = FolderListing(
    [FolderEntry(name: "old", isFolder: true), file("bike.jpg", 4_240_000), file("자전거.png", 812)])

  /// A form over which this folder is looked through.
  private func stage(_ listing: FolderListing = shop) async -> Stage {
    let stage = Stage(sells: true, photos: FakePhotoImporter(["/home/me/": listing]))
    stage.press("n")
    await until { stage.form != nil }
    stage.press(.enter, .enter)
    await until { stage.picking?.picker.isRead == true }
    return stage
  }

  @Test func `letters filter, and Esc clears that before it closes`() async {
    let stage = await stage()

    stage.press("ㅇ", .backspace, "k", "E")
    await stage.settle()
    expect(stage.picking?.list.sections.first?.items.map(\.name), ["bike.jpg"])
    #expect(stage.lines(80, 24, .english)[9].contains("Filter   kE"))
    #expect(stage.lines(80, 24, .english)[9].contains("1/3"))
    stage.press(.escape)
    await stage.settle()
    expect(stage.picking?.list.count, 3)
    stage.press(.escape)
    await stage.settle()

    #expect(stage.top is FormModel)
  }

  @Test func `Backspace deletes from the filter and then goes to the folder above`() async {
    let stage = await stage()

    stage.press("x", .backspace)
    expect(stage.picking?.picker.folder, "/home/me")
    stage.press(.backspace)

    expect(stage.picking?.picker.folder, "/home")
  }

  @Test(arguments: [
    (FolderListing(), "사진이 없습니다"), (FolderListing(problem: .unreadable), "읽을 수 없는"),
    (FolderListing(problem: .missing), "폴더가 없습니다"),
  ])
  func `an empty folder is told from one that cannot be read`(
    listing: FolderListing, words: String
  ) async {
    let stage = await stage(listing)

    #expect(stage.lines(80, 24).contains { $0.contains(words) })
  }

  @Test func `a click selects, on the mark it marks, and twice it takes`() async {
    let stage = await stage()
    let row = stage.lines(80, 24).firstIndex { $0.contains("bike.jpg") } ?? 0

    stage.click(20, row)
    expect(stage.picking?.list.selected?.name, "bike.jpg")
    stage.click(5, row + 1)
    expect(stage.picking?.picker.marked, ["/home/me/자전거.png"])
    stage.click(20, row)
    stage.click(20, row)

    expect(stage.form?.photos.photos.map(\.name), ["bike.jpg"])
    let choices = stage.navigator.selling?.services.viewStates.viewState
    expect(choices?.photoFolder, "/home/me")
  }

  @Test(arguments: [(20, 6), (24, 8), (40, 12), (80, 24), (200, 60)])
  func `ten thousand entries with long names fit into every window`(
    columns: Int, rows: Int
  ) async {
    let entries = (1...10_000).map {
      Self.file(String(repeating: "사진\u{1B}[31m", count: 40) + "\($0).jpg", $0)
    }
    let stage = await stage(FolderListing(entries, isComplete: false))

    for key in [KeyPress.end, .up, .pageUp, .home, .pageDown] {
      stage.press(key, columns: columns, rows: rows)

      let lines = stage.lines(columns, rows)
      expect(lines.count { $0.contains("▌") }, 1)
      #expect(!lines.contains { $0.contains("\u{1B}") })
    }
  }

  @Test func `candidates stand under the line, and a click takes one`() async {
    let stage = await stage()
    stage.press(.escape, .enter, .tab)
    await until { stage.pathLine?.candidates.isShown == true }
    let row = stage.lines(80, 24).firstIndex { $0.contains("old/") } ?? 0

    stage.press(.tab)
    #expect(stage.lines(80, 24)[row - 1].hasPrefix(" │ ▌ bike.jpg"))
    stage.click(20, row)

    expect(stage.pathLine?.editor.text, "old/")
  }

  @Test(arguments: ["/a.jpg", "~/a.jpg", "./a.jpg"])
  func `a path that is typed or dropped on the photos opens the line with it`(path: String)
    async throws
  {
    let stage = try await SellingScreen.photos.stage()

    for letter in path { stage.press(KeyPress(.character(letter))) }
    expect(stage.pathLine?.editor.text, path)
    stage.press(.enter)

    await until { stage.form?.photos.photos.map(\.name) == ["a.jpg"] }
  }
}

extension Stage {
  fileprivate var picking: PickerModel? { navigator.stack.first(PickerModel.self) }
  fileprivate var pathLine: PhotoPathLine? { navigator.stack.first(PhotoPathModel.self)?.line }
}

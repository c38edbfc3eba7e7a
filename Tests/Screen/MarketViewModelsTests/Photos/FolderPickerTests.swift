import Expectations
import MarketModel
import Testing

@testable import MarketViewModels

struct FolderPickerTests {
  nonisolated private static let names = ["Bike.jpg", "\u{1100}\u{1161}.jpg", "가방.png"]

  @Test(arguments: [
    ("BIKE", ["Bike.jpg"]), ("가", ["\u{1100}\u{1161}.jpg", "가방.png"]), ("g", names),
    ("\u{1100}\u{1161}방", ["가방.png"]), ("x", []), ("bike.jpg.jpg", []), ("ＢÍKE", ["Bike.jpg"]),
    ("ㄱㅂ", ["가방.png"]), ("가바", ["가방.png"]), ("png 방", ["가방.png"]),
  ])
  func `a filter finds names in any case and form`(text: String, found: [String]) {
    let entries = Self.names.map { FolderEntry(name: $0, isFolder: false) }

    let words = SearchTokenizer().wanted(by: text)

    expect(entries.filter { $0.has(words) }.map(\.name), found)
  }

  @Test func `a listing of a folder that was left is dropped`() {
    var picker = FolderPicker(folder: "/shop")
    picker.go(to: "/other")

    _ = picker.didRead(FolderListing([FolderEntry(name: "b.jpg", isFolder: false)]), of: "/shop")

    #expect(picker.listing.entries.isEmpty && !picker.isRead)
  }

  @Test func `names that differ in their form alone are two files`() {
    var picker = FolderPicker(folder: "/shop")
    let entries = ["\u{1100}\u{1161}.jpg", "가.jpg"].map { FolderEntry(name: $0, isFolder: false) }

    picker.mark(picker.path(of: entries[0]))

    #expect(entries.map { picker.isMarked($0) } == [true, false] && entries[0].id != entries[1].id)
  }
}

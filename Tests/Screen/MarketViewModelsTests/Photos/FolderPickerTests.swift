import EditorKit
import MarketModel
import Testing

@testable import MarketViewModels

@Suite struct FolderPickerTests {
  private func picker(_ names: [String], rows: Int = 3) -> FolderPicker {
    var picker = FolderPicker(folder: "/shop")
    picker.didRead(
      FolderListing(names.map { FolderEntry(name: $0, isFolder: false) }), of: "/shop")
    picker.fit(rows: rows)
    return picker
  }

  @Test(arguments: [
    ("BIKE", ["Bike.jpg"]), ("가", ["\u{1100}\u{1161}.jpg", "가방.png"]),
    ("g", ["Bike.jpg", "\u{1100}\u{1161}.jpg", "가방.png"]),
    ("\u{1100}\u{1161}방", ["가방.png"]), ("x", []), ("bike.jpg.jpg", []), ("ＢÍKE", ["Bike.jpg"]),
    ("ㄱㅂ", ["가방.png"]), ("가바", ["가방.png"]), ("png 방", ["가방.png"]),
  ])
  func `a filter finds names in any case and form`(text: String, found: [String]) {
    var picker = picker(["Bike.jpg", "\u{1100}\u{1161}.jpg", "가방.png"])

    picker.edit { $0.paste(text) }

    #expect(picker.entries.map(\.name) == found)
  }

  @Test func `the cursor stays on its entry while the filter narrows and widens`() {
    var picker = picker(["a1.jpg", "b1.jpg", "b2.jpg"])
    picker.move(by: 2)

    picker.edit { $0.type("b") }
    #expect(picker.selectedEntry?.name == "b2.jpg" && picker.entries.count == 2)
    picker.clearFilter()

    #expect(picker.selectedEntry?.name == "b2.jpg" && picker.entries.count == 3)
  }

  @Test func `a listing of a folder that was left is dropped`() {
    var picker = picker(["a.jpg"])
    picker.go(to: "/other")

    picker.didRead(FolderListing([FolderEntry(name: "b.jpg", isFolder: false)]), of: "/shop")

    #expect(picker.entries.isEmpty && !picker.isRead)
  }

  @Test func `names that differ in their form alone are two files`() {
    var picker = picker(["\u{1100}\u{1161}.jpg", "가.jpg"])

    picker.mark(picker.path(of: picker.entries[0]))

    #expect(picker.entries.map { picker.isMarked($0) } == [true, false])
  }

  @Test func `the list scrolls no further than the cursor goes`() {
    var picker = picker((1...9).map { "\($0).jpg" })

    let firsts = [2, 1, 1, -1, -3, 100].map { distance in
      picker.move(by: distance)
      return picker.first
    }

    #expect(firsts == [0, 1, 2, 2, 0, 6] && picker.selected == 8)
  }
}

import EditorKit
import Expectations
import Testing

@testable import MarketViewModels

/// The line of paths and the candidates under it.
struct PhotoPathLineTests {
  private let entries = [
    FolderEntry(name: "old wares", isFolder: true), FolderEntry(name: "img 1.jpg", isFolder: false),
    FolderEntry(name: "img 2.jpg", isFolder: false), FolderEntry(name: "x[1].jpg", isFolder: false),
    FolderEntry(name: "\u{1100}\u{1161}.jpg", isFolder: false),
  ]

  /// A line in which Tab was pressed behind this text; the home is `/home/me`.
  private func completed(_ text: String) -> PhotoPathLine {
    var line = PhotoPathLine()
    line.edit({ $0.paste(text) }, home: "/home/me")
    complete(&line)
    return line
  }

  private func complete(_ line: inout PhotoPathLine) {
    line.complete(with: entries, of: line.lookup(home: "/home/me").folder, home: "/home/me")
  }

  @Test(arguments: [
    ("~/o", #"~/old\ wares/"#), ("a.jpg ~/x", #"a.jpg ~/x\[1].jpg "#), ("가", "가.jpg "),
    ("/shop/i", #"/shop/img\ "#), ("'/new shop/o", #"/new\ shop/old\ wares/"#),
    ("/shop/q", "/shop/q"),
    ("file:///new%20shop/o", #"/new\ shop/old\ wares/"#),
  ])
  func `a name is completed as far as there is no choice`(text: String, line: String) {
    expect(completed(text).editor.text, line)
  }

  @Test func `where there is a choice the candidates are walked through both ways`() {
    var line = completed("~/i")
    expect(line.candidates.entries.map(\.name), ["img 1.jpg", "img 2.jpg"])
    expect(line.candidates.selected, nil)

    let names = [1, 1, 1, -1].map { distance in
      line.walk(by: distance)
      return line.candidates.selectedEntry?.name
    }

    expect(names, ["img 1.jpg", "img 2.jpg", "img 1.jpg", "img 2.jpg"])
    line.takeSelected()
    #expect(line.editor.text == #"~/img\ 2.jpg "# && !line.candidates.isShown)
  }

  @Test func `typing narrows the candidates, and another folder has none`() {
    var line = completed("~/i")

    line.edit({ $0.type("2") }, home: "/home/me")
    expect(line.candidates.entries.map(\.name), ["img 2.jpg"])
    line.edit({ $0.type("0") }, home: "/home/me")
    #expect(line.candidates.entries.isEmpty && line.candidates.isShown)
    line.edit({ $0.type("/") }, home: "/home/me")

    #expect(!line.candidates.isShown)
  }

  @Test func `a move of the caret leaves the candidates alone`() {
    var line = completed("~/i")

    line.edit({ $0.move(.left) }, home: "/home/me")

    expect(line.candidates.entries.count, 2)
  }
}

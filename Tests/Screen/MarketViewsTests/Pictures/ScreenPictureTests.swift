import Expectations
import Glibc
import MarketStrings
import MarketViews
import SafeTextKit
import TerminalKit
import TestSupport
import Testing

/// Every screen as it looks, in both languages and two sizes, beside the files of `Tests/Screen/Pictures`.
///
/// `make pictures` writes the files anew; `cat` shows them.
struct ScreenPictureTests {
  private static let folder = #filePath.replacing(
    /MarketViewsTests\/Pictures\/[^\/]*$/, with: "Pictures")
  private static let isWriting = getenv("SCREEN_PICTURES").map { String(cString: $0) } == "write"

  private func path(_ screen: PictureScreen, _ language: Language, _ size: CellSize) -> String {
    "\(Self.folder)/\(screen).\(language.rawValue).\(size.columns)x\(size.rows).txt"
  }

  @Test(arguments: PictureScreen.allCases)
  func `a screen looks as its picture does`(screen: PictureScreen) async throws {
    for language in Language.allCases {
      for size in screen.sizes {
        let picture = try await screen.picture(in: language, size).coloredText
        let path = path(screen, language, size)
        guard !Self.isWriting else {
          try FileContent(bytes: Array(picture.utf8)).write(to: path)
          continue
        }
        let saved = try String(decoding: FileContent(of: path).bytes, as: UTF8.self)
        guard picture != saved else { continue }
        let rows = [saved, picture].map {
          $0.split(separator: "\n", omittingEmptySubsequences: false)
        }
        let row = zip(rows[0], rows[1]).enumerated().first { $1.0 != $1.1 }
        Issue.record(
          """
          \(path), row \(row?.offset ?? min(rows[0].count, rows[1].count)), was and is:
          \(row?.element.0 ?? "")
          \(row?.element.1 ?? "")
          "make pictures" makes all pictures anew; look at what it changed (git diff --stat, cat FILE).
          """)
      }
    }
  }

  @Test(arguments: PictureScreen.allCases)
  func `a screen keeps within every window, and what is selected stays in sight`(
    screen: PictureScreen
  ) async throws {
    let market = try await screen.market(in: .korean, PictureScreen.sizes[0])
    let usual = market.picture(in: PictureScreen.sizes[0])
    let marks = "▌▸‹".filter(usual.lines.joined().contains)

    for (columns, rows) in [(20, 6), (24, 8), (40, 10), (79, 12), (240, 60)] {
      let canvas = market.picture(in: CellSize(columns: columns, rows: rows))
      let text = canvas.lines.joined()
      #expect(canvas.lines.allSatisfy { SafeText($0).columns == columns })
      // The box that says that a form is being sent may cover the field that has the focus in it.
      if rows > 6, usual.cursor?.isVisible != true, screen != .sending {
        #expect(marks.isEmpty || marks.contains(where: text.contains), "\(columns) x \(rows)")
      }
      #expect(canvas.cursor == nil || canvas.cursor?.point.row != 0, "\(columns) x \(rows)")
      expect(canvas.cursor == nil, usual.cursor == nil, "\(columns) x \(rows)")
    }
  }

  @Test func `every view is in a picture, on top of all`() async throws {
    var missing = ViewGraph.market.views

    for screen in PictureScreen.allCases {
      let top = try await screen.market(in: .english, PictureScreen.sizes[0]).top
      guard let layer = top as? any ViewedLayer else { continue }
      let view = view(of: layer)
      missing.removeAll { $0 == view }
    }

    #expect(missing.isEmpty, "no picture of \(missing)")
  }

  private func view<Viewed: ViewedLayer>(of layer: Viewed) -> any LayerView.Type {
    Viewed.View.self
  }
}

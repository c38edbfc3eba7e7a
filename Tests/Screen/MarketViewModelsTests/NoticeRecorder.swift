@testable import MarketViewModels

/// The notices of a browser, each of them as it is read for the first time.
final class NoticeRecorder {
  private let board: NoticeBoard
  private var read: [Notice] = []

  init(_ browser: BrowserModel) { board = browser.notices }

  var notices: [Notice] {
    if let notice = board.notice {
      read.append(notice)
      board.clear()
    }
    return read
  }
}

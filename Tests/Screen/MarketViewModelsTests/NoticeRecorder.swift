import MarketModel
import MarketViewModels

/// A program around a browser that keeps the notices it should show.
final class NoticeRecorder: BrowserDelegate {
  let registered: [Product.ID] = []
  private(set) var notices: [Notice] = []

  func announce(_ notice: Notice) { notices.append(notice) }
}

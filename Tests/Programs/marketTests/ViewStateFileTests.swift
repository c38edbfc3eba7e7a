import Expectations
import Glibc
import MarketViewModels
import TestSupport
import Testing

@testable import market

struct ViewStateFileTests {
  private let viewState: ViewState = {
    var viewState = ViewState()
    viewState.cardColumns = 48
    viewState.listWidthFraction = ListWidthFraction(66, of: 120)
    viewState.arrangement = .list
    return viewState
  }()

  private func chosen(_ choose: (inout ViewState) -> Void) -> ViewState {
    var viewState = ViewState()
    choose(&viewState)
    return viewState
  }

  @Test func `a look is taken up again by the next run, and nobody else reads it`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "state")

    await ViewStateFile(folder: path).keep(viewState)

    expect(ViewStateFile(folder: path).load(), viewState)
    var status = stat()
    #expect(stat(path + "/look", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `two runs at once take nothing from each other`() async throws {
    let folder = try TemporaryFolder()
    let (one, other) = (ViewStateFile(folder: folder.path), ViewStateFile(folder: folder.path))

    async let cards: Void = one.keep(chosen { $0.cardColumns = 48 })
    async let divider: Void = other.keep(
      chosen { $0.listWidthFraction = ListWidthFraction(66, of: 120) })
    _ = await (cards, divider)
    await one.keep(chosen { $0.arrangement = .list })

    expect(other.load(), viewState)
  }

  @Test(arguments: ["", "\0\0", "cards 2\n48", "cards -3\n48\n", "cards 2\nxx\nlist 3\n1e9\n"])
  func `what is no look counts as none, and the next change writes over it`(
    text: String
  ) async throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: Array(text.utf8)).write(to: folder.path(of: "look"))
    let file = ViewStateFile(folder: folder.path)
    expect(file.load(), ViewState())

    await file.keep(viewState)

    expect(ViewStateFile(folder: folder.path).load(), viewState)
  }

  @Test func `what a later version wrote stays`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "look")
    try FileContent(bytes: Array("sparkles 3\nyes\ncards 2\n24\n".utf8)).write(to: path)

    await ViewStateFile(folder: folder.path).keep(chosen { $0.cardColumns = 60 })

    let records = try #require(RecordFile(FileContent(of: path).bytes))
    expect(records.first("sparkles"), "yes")
    expect(records.all("cards"), ["60"])
  }

  @Test func `where nothing can be kept the program goes on`() async throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: []).write(to: folder.path(of: "file"))
    let file = ViewStateFile(folder: folder.path(of: "file"))

    await file.keep(chosen { $0.cardColumns = 60 })

    expect(file.load(), ViewState())
  }
}

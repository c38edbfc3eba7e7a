import Expectations
import MarketModel
import TestSupport
import Testing

@testable import PersonalStore

/// When a visit begins and ends, with programs that really run.
struct VisitTests {
  let folder = FolderOfTest()
  var clock: WallClock { folder.clock }

  func open(by visitor: VisitProcess = .current) -> PersonalFile {
    folder.open(by: visitor)
  }

  func program() throws -> (ChildProcess, VisitProcess) {
    let child = try ChildProcess("/bin/sleep", arguments: ["60"])
    return (child, VisitProcess(process: Int64(child.identifier)))
  }

  func id(_ number: Int64) -> Product.ID { Product.ID(rawValue: number) }

  @Test func `a first visit has none before it, and the next one finds when it ended`() async {
    let file = open()
    await expect(file.lastVisit(to: .local), nil)

    await file.isVisiting(.local, newest: id(40))
    clock.advance(100)
    await file.isVisiting(.local, newest: id(42))
    clock.advance(100)
    await file.didLeave(.local)
    let end = clock.now
    clock.advance(5_000)

    await expect(open().lastVisit(to: .local), Visit(ended: end, newest: id(42)))
    await expect(open().lastVisit(to: MarketKey(rawValue: "/x")), nil)
  }

  @Test func `during a visit the one before it is the last`() async {
    let file = open()
    await file.isVisiting(.local, newest: id(1))
    await file.didLeave(.local)
    let end = clock.now
    clock.advance(60)

    await file.isVisiting(.local, newest: id(9))

    await expect(file.lastVisit(to: .local), Visit(ended: end, newest: id(1)))
  }

  @Test func `several programs share a visit, which ends with the last`() async throws {
    let (child, visitor) = try program()
    let (first, second) = (open(), open(by: visitor))
    await first.isVisiting(.local, newest: id(5))
    await second.isVisiting(.local, newest: id(4))

    clock.advance(60)
    await first.didLeave(.local)
    await expect(first.lastVisit(to: .local), nil)
    clock.advance(60)
    await second.didLeave(.local)

    await expect(first.lastVisit(to: .local), Visit(ended: clock.now, newest: id(5)))
    child.kill()
  }

  @Test func `a program that ends leaves all its markets`() async {
    let file = open()
    await file.isVisiting(.local, newest: nil)
    await file.isVisiting(MarketKey(rawValue: "http://x/"), newest: id(3))

    await file.close()

    await expect(open().lastVisit(to: .local), Visit(ended: clock.now, newest: nil))
    await expect(open().lastVisit(to: MarketKey(rawValue: "http://x/"))?.newest, id(3))
  }

  @Test func `a program that was killed keeps no visit open`() async throws {
    let (child, visitor) = try program()
    await open(by: visitor).isVisiting(.local, newest: id(5))
    let lastSeen = clock.now
    clock.advance(200)
    await expect(open().lastVisit(to: .local), nil)

    child.kill()

    await expect(open().lastVisit(to: .local), Visit(ended: lastSeen, newest: id(5)))
  }

  @Test func `one that was killed beside one that runs ends nothing`() async throws {
    let (child, visitor) = try program()
    let file = open()
    await file.isVisiting(.local, newest: id(5))
    await open(by: visitor).isVisiting(.local, newest: id(5))

    child.kill()

    await expect(file.lastVisit(to: .local), nil)
    clock.advance(10)
    await file.didLeave(.local)
    await expect(file.lastVisit(to: .local)?.ended, clock.now)
  }

  @Test func `a number of a process that was given again is another program`() async throws {
    let (child, visitor) = try program()
    let before = VisitProcess(
      host: visitor.host, process: visitor.process, started: visitor.started - 100)
    await open(by: before).isVisiting(.local, newest: id(5))

    await expect(open().lastVisit(to: .local)?.newest, id(5))
    child.kill()
  }

  @Test func `a program of another computer is waited for, half an hour`() async {
    let far = VisitProcess(host: "elsewhere", process: 1, started: 1)
    await open(by: far).isVisiting(.local, newest: id(5))
    let last = clock.now

    clock.advance(1_800)
    await expect(open().lastVisit(to: .local), nil)
    clock.advance(1)

    await expect(
      open().lastVisit(to: .local),
      Visit(ended: Timestamp(seconds: last.seconds + 1_800), newest: id(5)))
  }

  @Test func `half an hour after the last key the next one begins a new visit`() async {
    let file = open()
    await file.isVisiting(.local, newest: id(5))
    clock.advance(20)
    // Too soon to be written, but counted.
    await file.isVisiting(.local, newest: id(5))
    let last = clock.now
    clock.advance(1_801)

    await file.isVisiting(.local, newest: id(8))

    await expect(
      file.lastVisit(to: .local),
      Visit(ended: Timestamp(seconds: last.seconds + 1_800), newest: id(5)))
  }

  @Test func `what a program that was killed had shown last was seen in its visit`() async throws {
    let gone = VisitProcess(host: VisitProcess.thisHost, process: 1 << 40, started: 1)
    let file = open(by: gone)
    await file.isVisiting(.local, newest: id(5))
    clock.advance(40)
    await file.didSee([SeenProduct(id: id(8), price: nil)], in: .local)
    let seen = clock.now
    clock.advance(40)

    let visit = await open().lastVisit(to: .local)

    expect(visit?.ended, seen)
    let record = await open().seenProducts(of: [id(8)], in: .local, before: seen)[id(8)]
    expect(record?.first, seen)
  }

  @Test func `a clock that is set back by a day does not keep a visit open`() async {
    let far = VisitProcess(host: "elsewhere", process: 1, started: 1)
    await open(by: far).isVisiting(.local, newest: id(5))

    clock.advance(-86_400)

    await expect(open().lastVisit(to: .local), Visit(ended: clock.now, newest: id(5)))
  }

  @Test func `of many visits the last are remembered`() async {
    let file = open()
    for number in 1...30 {
      await file.isVisiting(.local, newest: id(Int64(number)))
      clock.advance(60)
      await file.didLeave(.local)
    }

    await expect(file.lastVisit(to: .local)?.newest, id(30))
    #expect(folder.troubles.isEmpty)
  }
}

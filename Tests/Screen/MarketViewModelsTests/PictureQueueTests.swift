import Expectations
import MarketModel
import MarketViewModels
import Testing

struct PictureQueueTests {
  private func want(_ number: Int) -> PictureWant {
    PictureWant(
      picture: Picture(original: "\(number)", thumbnail: "\(number)"), rendition: .thumbnail,
      box: PixelSize(width: 10, height: 10), fit: .cover)
  }

  private func wants(_ numbers: ClosedRange<Int>) -> [PictureWant] { numbers.map(want) }

  @Test func `the most urgent pictures are loaded first, a few at a time`() {
    var queue = PictureQueue(maximumLoads: 2, maximumBytes: 1_000)

    let actions = queue.want(wants(1...5))

    expect(actions.loads, wants(1...2))
  }

  @Test func `a picture that came makes room for the next one`() {
    var queue = PictureQueue(maximumLoads: 2, maximumBytes: 1_000)
    _ = queue.want(wants(1...5))

    let (actions, forgotten) = queue.didLoad(want(1), byteCount: 10)

    expect(actions.loads, [want(3)])
    #expect(forgotten.isEmpty)
  }

  @Test func `passed pictures are cancelled and the landing place is loaded`() {
    var queue = PictureQueue(maximumLoads: 2, maximumBytes: 1_000)
    _ = queue.want(wants(1...5))

    let actions = queue.want(wants(100...105))

    expect(Set(actions.cancels), Set(wants(1...2)))
    expect(actions.loads, wants(100...101))
  }

  @Test func `a broken picture is not asked for again until failures are forgotten`() {
    var queue = PictureQueue(maximumLoads: 1, maximumBytes: 1_000)
    _ = queue.want([want(1)])

    let after = queue.didFail(want(1))
    #expect(after.loads.isEmpty)
    #expect(queue.isBroken(want(1)))
    let again = queue.forgetFailures()

    expect(again.loads, [want(1)])
  }

  @Test func `memory stays bounded, and what is on the screen stays`() {
    var queue = PictureQueue(maximumLoads: 1, maximumBytes: 100)
    var kept: Set<PictureWant> = []

    for number in 1...50 {
      _ = queue.want([want(number)])
      kept.insert(want(number))
      kept.subtract(queue.didLoad(want(number), byteCount: 10).forgotten)
      #expect(kept.contains(want(number)))
    }

    #expect(kept.count <= 11)
  }
}

import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct PictureModelTests {
  private let clock = ManualClock()
  private var turns: Gate<Duration, Void> { clock.sleeps(of: PictureModel.playingTime) }

  private func model(pictures count: Int = 3) -> PictureModel {
    let detail = DetailModel(repository: GatedProductRepository(), clock: clock)
    detail.showLoaded(
      .sample(pictures: (0..<count).map { Picture(original: "\($0)", thumbnail: "\($0)") }))
    return PictureModel(detail: detail, clock: clock)
  }

  @Test func `playing turns the pictures one after another, and begins again after the last`()
    async throws
  {
    let model = model()

    model.play()
    #expect(model.isPlaying && model.detail.pictureIndex == 0)
    for index in [1, 2, 0] {
      try await turns.next().answer(())
      await until { model.detail.pictureIndex == index }
    }

    #expect(model.isPlaying)
  }

  @Test func `a key stops the pictures, and the key that plays does not play them again`()
    async throws
  {
    let model = model()
    model.play()
    let turn = try await turns.next()

    model.didPressKey()
    model.play()
    #expect(turn.isCancelled)
    #expect(!model.isPlaying && model.hasStopped)
    model.didPressKey()
    model.play()

    #expect(model.isPlaying)
  }

  @Test func `leaving stops the pictures, and one alone is not played`() async throws {
    let (several, single) = (model(), model(pictures: 1))
    several.play()
    let turn = try await turns.next()

    several.didClose()
    single.play()

    #expect(turn.isCancelled)
    #expect(!several.isPlaying && !single.isPlaying)
  }

  @Test func `another picture is shown as a whole`() {
    let model = model()
    let around = PictureZoom.Surroundings(
      picture: PixelSize(width: 640, height: 480), box: PixelSize(width: 160, height: 84))
    model.enlarge(around)

    model.showNextPicture()

    #expect(!model.zoom.isEnlarged)
    expect(model.detail.pictureIndex, 1)
  }
}

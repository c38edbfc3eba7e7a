import Expectations
import MarketModel
import TestSupport
import Testing

@testable import MarketViewModels

struct PictureZoomTests {
  private static let around = PictureZoom.Surroundings(
    picture: PixelSize(width: 640, height: 480), box: PixelSize(width: 160, height: 84))

  /// A picture of which this has been done.
  private func model(_ change: (PictureModel) -> Void) -> PictureModel {
    let model = PictureModel(
      detail: DetailModel(repository: GatedProductRepository(), clock: ManualClock()),
      clock: ManualClock())
    change(model)
    return model
  }

  @Test func `steps lead from the whole picture to its own pixels, and no further`() {
    var scales: [Double] = []
    let model = model { model in
      for _ in 0..<9 {
        scales.append((model.zoom.scale(Self.around) * 1_000).rounded())
        model.enlarge(Self.around)
      }
    }

    expect(scales, [175, 262, 394, 591, 886, 1_000, 1_000, 1_000, 1_000])
    expect(model.zoom.part(Self.around)?.size, Self.around.box)
    #expect(!model.zoom.canEnlarge(Self.around))
  }

  @Test func `each step back undoes one, and the last one shows all`() {
    let model = model { model in
      for _ in 0..<9 { model.enlarge(Self.around) }
      model.move(columns: 3, rows: 0, Self.around)
    }

    for _ in 0..<5 {
      #expect(model.zoom.isEnlarged)
      model.reduce()
    }

    expect(model.zoom, PictureZoom())
    expect(model.zoom.part(Self.around), nil)
  }

  @Test func `moves stop at the picture's edges, and come back from there at once`() {
    let model = model { model in
      for _ in 0..<9 { model.enlarge(Self.around) }
    }

    for _ in 0..<20 { model.move(columns: 1, rows: 1, Self.around) }
    let corner = model.zoom.part(Self.around)
    model.move(columns: -1, rows: 0, Self.around)
    let beside = model.zoom.part(Self.around)

    expect(corner, PixelRectangle(columns: 480..<640, rows: 396..<480))
    expect(beside, PixelRectangle(columns: 440..<600, rows: 396..<480))
  }

  @Test(arguments: [1, 7, 159, 160, 641, 9_999], [1, 84, 480, 5_000])
  func `whatever the sizes, a part lies within the picture`(width: Int, height: Int) {
    let around = PictureZoom.Surroundings(
      picture: PixelSize(width: width, height: height), box: Self.around.box)

    let model = model { model in
      for step in 0..<30 {
        model.enlarge(around)
        model.move(columns: step % 3 - 1, rows: 1, around)
      }
    }

    if let part = model.zoom.part(around) {
      #expect(part.columns.lowerBound >= 0 && part.columns.upperBound <= width)
      #expect(part.rows.lowerBound >= 0 && part.rows.upperBound <= height)
      #expect(!part.columns.isEmpty && !part.rows.isEmpty)
    }
    #expect(model.zoom.scale(around) <= 1 || !model.zoom.isEnlarged)
  }
}

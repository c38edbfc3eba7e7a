import Expectations
import MarketModel
import Testing

@testable import PictureKit

struct PictureOrientationTests {
  @Test func `orientations that lie on their side swap width and height`() {
    let stored = PixelSize(width: 3, height: 2)

    let sizes = PictureOrientation.allCases.map { $0.applied(to: stored).width }

    expect(sizes, [3, 3, 3, 3, 2, 2, 2, 2])
  }
}

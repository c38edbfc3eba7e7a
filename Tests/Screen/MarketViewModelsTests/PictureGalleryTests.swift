import Expectations
import MarketModel
import MarketViewModels
import SellingTestSupport
import Synchronization
import TestSupport
import Testing

struct PictureGalleryTests {
  private struct Bitmap: DrawablePicture {
    let byteCount: Int
  }

  private final class Redraw {
    var isDue = false
  }

  /// Brings every picture whose name does not begin with "broken".
  private final class Loader: PictureLoader {
    private let asked = Mutex<[String]>([])
    var names: [String] { asked.withLock { $0 } }

    func load(_ want: PictureWant) async throws(PictureError) -> any DrawablePicture {
      asked.withLock { $0.append(want.picture.original) }
      guard !want.picture.original.hasPrefix("broken") else { throw .undecodable }
      return Bitmap(byteCount: 100)
    }
  }

  private let loader = Loader()

  private func want(_ name: String) -> PictureWant {
    PictureWant(
      picture: Picture(original: name, thumbnail: name), rendition: .thumbnail,
      box: PixelSize(width: 8, height: 8), fit: .cover)
  }

  @Test func `a picture is pending until it comes`() async {
    let gallery = PictureGallery(loader: loader)
    #expect(gallery.picture(for: want("mug")).isPending)

    gallery.want([want("mug")])
    await until { gallery.picture(for: want("mug")).isReady }

    expect(loader.names, ["mug"])
  }

  @Test func `only a picture that a frame waits for has the frame drawn again`() async {
    let gallery = PictureGallery(loader: loader, maximumLoads: 1)
    let redraw = Redraw()
    observing {
      _ = gallery.picture(for: want("mug"))
    } onChange: {
      MainActor.assumeIsolated { redraw.isDue = true }
    }

    gallery.want([want("lamp"), want("broken")])
    await until { gallery.picture(for: want("broken")).isUnavailable }
    #expect(gallery.picture(for: want("lamp")).isReady)
    #expect(!redraw.isDue)
    gallery.want([want("mug")])
    await until { gallery.picture(for: want("mug")).isReady }

    #expect(redraw.isDue)
  }

  @Test func `a broken picture is asked for again only after a refresh`() async {
    let gallery = PictureGallery(loader: loader)
    gallery.want([want("broken")])
    await until { gallery.picture(for: want("broken")).isUnavailable }

    gallery.want([want("broken"), want("mug")])
    await until { gallery.picture(for: want("mug")).isReady }
    expect(loader.names, ["broken", "mug"])
    gallery.forgetFailures()
    await until { gallery.picture(for: want("broken")).isUnavailable }

    expect(loader.names, ["broken", "mug", "broken"])
  }

  @Test func `memory is bounded: what was not seen for longest goes`() async {
    let gallery = PictureGallery(loader: loader, maximumLoads: 1, maximumBytes: 250)

    for name in ["a", "b", "c"] {
      gallery.want([want(name)])
      await until { gallery.picture(for: want(name)).isReady }
    }

    #expect(gallery.picture(for: want("a")).isPending)
    #expect(gallery.picture(for: want("c")).isReady)
  }
}

extension PictureGallery.Picture {
  fileprivate var isPending: Bool { if case .pending = self { true } else { false } }
  fileprivate var isReady: Bool { if case .ready = self { true } else { false } }
  fileprivate var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
}

import MarketModel
import MarketViewModels

/// A loader whose failures are recorded on their way to the gallery.
nonisolated struct LoggedPictureLoader: PictureLoader {
  let loader: any PictureLoader
  let log: EventLog

  func load(_ want: PictureWant) async throws(PictureError) -> any DrawablePicture {
    let asked = want.picture.number.map { "picture \($0)" } ?? "picture"
    return try await log.watching(asked, \.logged) { () throws(PictureError) in
      try await loader.load(want)
    }
  }
}

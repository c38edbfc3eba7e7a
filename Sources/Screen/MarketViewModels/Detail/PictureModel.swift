internal import MarketModel

/// The detail's pictures over the whole window, one at a time: enlarged up to their own pixels, moved,
/// and played in turn.
package final class PictureModel: Layer {
  package let detail: DetailModel
  @Observed package private(set) var zoom = PictureZoom()
  /// Whether the pictures follow each other by themselves.
  @Observed package private(set) var isPlaying = false
  /// What was ready last: it stays until its successor is.
  package private(set) var lastReady: PictureWant?

  private let clock: any Clock<Duration>
  private var player: Task<Void, Never>?
  /// Whether the key that is handled now has stopped the pictures.
  package private(set) var hasStopped = false

  /// How long each picture stays while they play.
  package static let playingTime = Duration.seconds(3)

  package init(detail: DetailModel, clock: any Clock<Duration>) {
    self.detail = detail
    self.clock = clock
  }

  // MARK: Turning

  package func showNextPicture() { showPicture(at: detail.pictureIndex + 1) }

  package func showPreviousPicture() { showPicture(at: detail.pictureIndex - 1) }

  package func showPicture(at index: Int) {
    zoom = PictureZoom()
    detail.showPicture(at: index)
  }

  // MARK: Enlarging

  /// Enlarges a picture of so many pixels in a box by a step, up to its own pixels.
  package func enlarge(_ view: PictureZoom.Surroundings) { zoom.enlarge(view) }

  package func reduce() { zoom.reduce() }

  /// Shows the whole picture again.
  package func showWhole() { zoom = PictureZoom() }

  /// Moves what is seen of an enlarged picture; -1 is left or up, 1 right or down.
  package func move(columns: Int, rows: Int, _ view: PictureZoom.Surroundings) {
    zoom.move(columns: columns, rows: rows, view)
  }

  // MARK: Playing

  /// Lets the pictures follow each other, from the last one to the first, until the next key.
  package func play() {
    guard !isPlaying, !hasStopped, detail.pictures.count > 1 else { return }
    zoom = PictureZoom()
    isPlaying = true
    player = Task.immediate {
      while true {
        try? await clock.sleep(for: Self.playingTime)
        guard !Task.isCancelled else { return }
        showPicture(at: (detail.pictureIndex + 1) % max(1, detail.pictures.count))
      }
    }
  }

  package func stop() {
    player?.cancel()
    player = nil
    if isPlaying { isPlaying = false }
  }

  package func didPressKey() {
    hasStopped = isPlaying
    stop()
  }

  package func didClose() { stop() }

  package func refresh() { detail.reload() }

  /// Learns that a picture is ready to be drawn.
  package func didSee(_ want: PictureWant) { lastReady = want }
}

extension PictureModel {
  /// Shows the detail's picture over the whole window, or says that there is none.
  package static func open(on navigator: Navigator) {
    let detail = navigator.browser.detail
    guard !detail.pictures.isEmpty else { return navigator.announce(.hint(.noPicture)) }
    navigator.stack.push(PictureModel(detail: detail, clock: navigator.clock))
  }
}

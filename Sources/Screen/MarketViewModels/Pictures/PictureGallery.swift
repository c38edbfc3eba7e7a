package import MarketModel

/// The pictures that are ready to be drawn; it loads what the screen wants and no more.
package final class PictureGallery {
  package enum Picture {
    case ready(any DrawablePicture)
    case pending
    /// Missing, broken, or refused for its size.
    case unavailable
  }

  /// Rises where all pictures may have changed, so that every frame which looked is drawn again.
  @Observed private var revision = 0
  /// Pictures that a frame has waited for: it is drawn again when one of them arrives.
  private var arrivals: [PictureWant: ObservedEvent] = [:]

  private var pictures: [PictureWant: any DrawablePicture] = [:]
  private var queue: PictureQueue
  private var tasks: [PictureWant: Task<Void, Never>] = [:]
  private var loader: any PictureLoader
  private let maximumLoads: Int
  private let maximumBytes: Int

  /// Pictures of many screens, most of which came never or on none.
  private static let mostArrivals = 1_000

  package init(loader: any PictureLoader, maximumLoads: Int = 4, maximumBytes: Int = 24 << 20) {
    self.loader = loader
    self.maximumLoads = maximumLoads
    self.maximumBytes = maximumBytes
    queue = PictureQueue(maximumLoads: maximumLoads, maximumBytes: maximumBytes)
  }

  package func picture(for want: PictureWant) -> Picture {
    _ = revision
    if let picture = pictures[want] { return .ready(picture) }
    if queue.isBroken(want) { return .unavailable }
    let arrival = arrivals[want] ?? ObservedEvent()
    arrivals[want] = arrival
    arrival.note()
    return .pending
  }

  /// Says which pictures are wanted now: visible ones first, then those ahead.
  package func want(_ wants: [PictureWant]) {
    if arrivals.count > Self.mostArrivals {
      for arrival in arrivals.values { arrival.tell() }
      arrivals = [:]
    }
    run(queue.want(wants))
  }

  /// Lets pictures that did not come be tried again.
  package func forgetFailures() {
    revision += 1
    run(queue.forgetFailures())
  }

  /// Makes pictures in another way from now on; those that there are go, and come anew when wanted.
  package func use(_ loader: any PictureLoader) {
    for task in tasks.values { task.cancel() }
    tasks = [:]
    pictures = [:]
    queue = PictureQueue(maximumLoads: maximumLoads, maximumBytes: maximumBytes)
    self.loader = loader
    revision += 1
  }

  private func run(_ actions: PictureQueue.Actions) {
    for want in actions.cancels { tasks.removeValue(forKey: want)?.cancel() }
    for want in actions.loads { load(want) }
  }

  private func load(_ want: PictureWant) {
    tasks[want] = Task.immediate {
      do throws(PictureError) {
        let picture = try await loader.load(want)
        guard !Task.isCancelled else { return }
        didLoad(picture, for: want)
      } catch {
        guard !Task.isCancelled else { return }
        tasks[want] = nil
        run(queue.didFail(want))
        arrivals.removeValue(forKey: want)?.tell()
      }
    }
  }

  private func didLoad(_ picture: any DrawablePicture, for want: PictureWant) {
    tasks[want] = nil
    pictures[want] = picture
    arrivals.removeValue(forKey: want)?.tell()
    let (actions, forgotten) = queue.didLoad(want, byteCount: picture.byteCount)
    // They are on no screen: what is wanted stays.
    for want in forgotten { pictures[want] = nil }
    run(actions)
  }
}

/// A picture at the size in which it is to be drawn; the identity under which it is kept.
package nonisolated struct PictureWant: Hashable, Sendable {
  /// Way to fit the picture into its box.
  package enum Fit: Hashable, Sendable {
    /// All of it, with the rest of the box left free.
    case whole
    /// The whole box, with what does not fit cut off at the edges.
    case cover
  }

  package let picture: Picture
  package let rendition: PictureRendition
  /// The box in pixels of the drawing, whose shape decides how a cell is cut into them.
  package let box: PixelSize
  package let fit: Fit
  /// The part of the picture that is shown, in pixels of the rendition; nil for all of it.
  package let part: PixelRectangle?
  /// Whether it is shown fainter, as that of a product that is sold out.
  package let isFaded: Bool

  package init(
    picture: Picture, rendition: PictureRendition, box: PixelSize, fit: Fit,
    part: PixelRectangle? = nil, isFaded: Bool = false
  ) {
    self.picture = picture
    self.rendition = rendition
    self.box = box
    self.fit = fit
    self.part = part
    self.isFaded = isFaded
  }
}

/// A picture made ready for the screen; only the views know what is in it.
package nonisolated protocol DrawablePicture: Sendable {
  /// Memory that it holds, in bytes.
  var byteCount: Int { get }
}

/// The port that makes pictures ready: reads, decodes and cuts them, away from the main actor.
package nonisolated protocol PictureLoader: Sendable {
  func load(_ want: PictureWant) async throws(PictureError) -> any DrawablePicture
}

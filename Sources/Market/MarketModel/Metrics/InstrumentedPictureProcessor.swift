/// Processor of pictures that is measured.
package struct InstrumentedPictureProcessor: PictureProcessor {
  private let processor: any PictureProcessor
  private let done: TimerMetric
  private let refused: TimerMetric

  package init(_ processor: any PictureProcessor, _ registry: MetricsRegistry) {
    self.processor = processor
    done = registry.timer(.pictureTime, "done")
    refused = registry.timer(.pictureTime, "refused")
  }

  package func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture {
    let began = ContinuousClock.now
    do throws(PictureError) {
      let picture = try await processor.prepare(bytes)
      done.note(since: began)
      return picture
    } catch {
      refused.note(since: began)
      throw error
    }
  }
}

import EditorKit
import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// Flows that end in the middle, as where their market is closed.
struct CancelledFlowTests {
  /// Where a story ends: after what was typed for a stretch, or after the market's answer to it.
  struct Stop: Sendable {
    let story: SellingStory
    let stretch: Int
    let isAnswered: Bool

    /// Whether no password has been right yet.
    var isEarly: Bool {
      story == .deletion ? !isAnswered && stretch == 0 : stretch == 0 || stretch == 1 && !isAnswered
    }
  }

  private nonisolated static let stops = SellingStory.allCases.flatMap { story in
    story.stretches.indices.flatMap { stretch in
      [false, true].map { Stop(story: story, stretch: stretch, isAnswered: $0) }
    }
  }

  /// A stage on which a story has come so far.
  private func stage(at stop: Stop) async throws -> StoryStage {
    let stage = try await StoryStage(isFirstSale: stop.story == .firstRegistration)
    let stretches = stop.story.stretches.prefix(stop.stretch + 1)
    for (index, stretch) in stretches.enumerated() {
      await stage.type(stretch.keys, atOnce: true)
      if index < stop.stretch || stop.isAnswered { try await stretch.answer(stage) }
    }
    return stage
  }

  @Test(arguments: stops)
  func `a flow that is ended leaves no dialog, no secret, and what was typed as a draft`(
    stop: Stop
  ) async throws {
    let stage = try await stage(at: stop)
    let selling = try #require(stage.selling)
    let typed = stage.form.flatMap { $0.isUntouched ? nil : $0.name.text }
    let prompt = stage.prompt

    #expect(await selling.save().isEmpty)
    stage.stage.navigator.close()
    await until { !stage.stage.navigator.stack.isTurning }

    #expect(!stage.stage.navigator.stack.isCovered && !selling.isBusy)
    #expect(prompt?.secret.isEmpty != false && selling.form == nil)
    #expect(selling.passwordCache.held.allSatisfy { $0.byteCount == 0 })
    await expect(stage.drafts.drafts().first?.values.name, typed)
  }

  @Test(arguments: stops)
  func `a stop wipes the passwords wherever a flow stands`(stop: Stop) async throws {
    let stage = try await stage(at: stop)
    let selling = try #require(stage.selling)
    let held = selling.passwordCache.held

    selling.passwordCache.forget()

    #expect(held.allSatisfy { $0.byteCount == 0 } && !selling.passwordCache.hasPassword)
    let needsNone = [SellingStory.registration, .firstRegistration, .renaming].contains(stop.story)
    #expect(needsNone || stop.isEarly || !held.isEmpty)
  }

  @Test(arguments: stops)
  func `screens that are closed are let go of`(stop: Stop) async throws {
    weak var selling: SellingModel?
    do {
      let stage = try await stage(at: stop)
      selling = stage.selling
      stage.stage.navigator.close()
      await until { !stage.isBusy }
    }
    for _ in 0..<1_000 where selling != nil { await Task.yield() }

    #expect(selling == nil)
  }
}

import MarketViewModels
import TestSupport
import Testing

/// Waits until something observable is so: it looks again each time what it read has changed.
///
/// A wait without end is an issue of the test; where the test is cancelled, it returns.
@MainActor
package func until(
  turns: Int = Turns.most, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: @MainActor () -> Bool
) async {
  let patience = Patience()
  let watch = Turns.watch(turns) { patience.isOver = true }
  defer { watch.cancel() }
  while !Task.isCancelled {
    let change = Once<Void>()
    if observing({ patience.isOver || condition() }, onChange: { change.give(()) }) { break }
    await withTaskCancellationHandler {
      await change.wait()
    } onCancel: {
      change.give(())
    }
  }
  if patience.isOver {
    Issue.record("what is waited for did not become so", sourceLocation: sourceLocation)
  }
}

@MainActor private final class Patience {
  @Observed var isOver = false
}

import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Commands that the palette runs one after the other, each on the screen that the one before it opens.
struct CommandChain {
  /// Command by its name, and by its words where several share the name.
  struct Step {
    let name: String
    var words: Phrase?
  }

  let steps: [Step]

  /// Runs the commands; one that is not possible on its screen says why and ends the chain.
  @MainActor func run(in frame: Frame) {
    let navigator = frame.navigator
    Task.immediate {
      for step in steps {
        await navigator.stack.untilReady()
        // What is chosen may be another product by now.
        let now = Frame(navigator: navigator, layout: frame.layout, context: frame.context)
        guard let rows = now.view(of: navigator.stack.top)?.rows,
          let row = rows.first(where: { row in
            row.name == step.name && (step.words.map { $0 == row.words } ?? true)
          })
        else {
          let strings = frame.context.strings
          let words = step.words.map { strings[$0] } ?? SafeText(step.name)
          return navigator.refuse(
            strings(.commandRefused, words, strings[.paletteNotNow]), opens: false)
        }
        row.run()
      }
    }
  }
}

import MarketStrings
import MarketViews
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct DraftsViewTests {
  @Test func `what a draft is and how old is told whole beside a short name`() async {
    let lines = await SellingScreen.drafts.stage().lines(80, 24, .english)

    let draft = lines.first { $0.contains("Unnamed draft") } ?? ""
    #expect(draft.contains("New (draft) · ") && !draft.contains("…"))
  }
}

internal import MarketModel
internal import SafeTextKit

// Adding and renaming markets.
extension MarketsModel {
  /// Asks for an address or file and a name, and shows the market.
  ///
  /// A missing file is created when the same answer is given again. The address of a product stands
  /// for its market; the product is opened after the market has a name.
  package func add() {
    guard let probe = markets.probe else { return }
    navigator.stack.startFlow { [self] flow in
      let prompt = PromptModel(.marketAddress)
      while let text = await flow.present(prompt) {
        let link = ProductAddress.only(in: text)
        if let link, navigator.knows(link) {
          navigator.stack.close(self)
          return navigator.follow(link)
        }
        guard let market = markets.directory?.market(at: link?.market.text ?? text) else {
          prompt.outcome = .noMarket
          continue
        }
        let isMissing = probe.hasFile(market) == false
        guard !isMissing || prompt.outcome == .missing(market) else {
          prompt.outcome = .missing(market)
          continue
        }
        prompt.outcome = .asking(market)
        let summary = await flow.work { [self] () throws(RepositoryError) in
          if isMissing { try await probe.makeFile(market) }
          return try await MarketTimeout.wait(Self.timeout, on: clock) {
            () throws(RepositoryError) in try await probe.glance(at: market)
          }.get()
        }
        switch summary {
        case .success(let summary): return await add(market, summary, for: link, in: flow)
        case .failure(let error): prompt.outcome = .failed(error)
        // The dialog was left, or the text was changed.
        case nil: if prompt.outcome != nil { return }
        }
      }
    }
  }

  private func add(
    _ market: KnownMarket, _ summary: MarketSummary, for link: ProductAddress?, in flow: Flow
  ) async {
    let prompt = PromptModel(
      .marketName(market, summary), markets.directory?.freeName(for: market) ?? "")
    let answer = await askName(prompt, in: flow) { await $0.remember(market, as: $1) }
    guard let answer else { return }
    navigator.stack.close(self)
    let remembered = markets.all.first { $0.key == market.key } ?? market
    if let link {
      navigator.visit(link, in: remembered)
    } else {
      Task.immediate { _ = await navigator.goTo(remembered) }
    }
    markets.current.announce(answer)
  }

  package func rename() {
    guard let market, market.isRemembered else { return }
    navigator.stack.startFlow { [self] flow in
      let prompt = PromptModel(.marketName(market, nil), market.name?.string ?? "")
      let answer = await askName(prompt, in: flow) { await $0.rename(market, to: $1) }
      guard let answer else { return }
      refresh()
      markets.current.announce(answer)
    }
  }

  /// Asks for a name until the directory accepts it; nil if the user leaves the dialog.
  private func askName(
    _ prompt: PromptModel, in flow: Flow,
    keep: @escaping @MainActor (any MarketDirectory, String) async -> DirectoryAnswer
  ) async -> DirectoryAnswer? {
    guard let directory = markets.directory else { return nil }
    while let name = await flow.present(prompt) {
      let keeping = Task.immediate { await keep(directory, name) }
      guard case .success(let answer)? = await flow.work({ await keeping.value }) else {
        // The result is announced although the dialog was left.
        Task.immediate {
          let answer = await keeping.value
          refresh()
          navigator.announce(answer)
        }
        break
      }
      if answer.isDone { return answer }
      navigator.announce(answer)
    }
    return nil
  }
}

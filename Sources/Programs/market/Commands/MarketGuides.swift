import CommandKit
import MarketStrings
import SafeTextKit

/// Topics of `market help` that explain a task in steps: moving, backups, ssh, passwords, logs, selling
/// and asking.
enum MarketGuides {
  /// Part of a guide.
  private enum Step {
    case text(Phrase)
    /// Command line to copy, with its explanation.
    case run(String, Phrase)
    /// Keys of commands, by the commands' names.
    case keys([String])
  }

  static var all: [HelpTopic] {
    [
      topic("selling", .manSelling, selling), topic("asking", .manAsking, asking),
      topic("passwords", .manPasswords, passwords), topic("moving", .manMoving, moving),
      topic("backup", .manBackup, backup), topic("ssh", .manSSH, ssh),
      topic("ssh-key", .manSSHKey, sshKey), topic("log", .manLog, log),
    ]
  }

  private static let selling: [Step] = [
    .text(.sellingAbout),
    .keys([
      "sell", "edit", "duplicate", "reserve", "sold", "delete", "my-products", "edit-seller",
    ]),
    .text(.sellingCommands),
    .run(
      "market new --name Lamp --price 42000 --description 'Warm light.' --photo lamp.jpg --seller Hana",
      .sellingNew),
    .run("market new --from-file lamps.json < password.txt", .sellingMany),
  ]

  private static let asking: [Step] = [
    .text(.askingAbout), .keys(["ask", "questions"]), .text(.askingCommands),
    .run("market questions", .askingQuestions),
  ]

  private static let passwords: [Step] = [
    .text(.passwordsAbout),
    .run("market edit 12 --price 9000 < password.txt", .passwordsScript),
    .text(.passwordsForgotten),
    .run("market admin password 12", .passwordsNew), .text(.passwordsLocked),
  ]

  private static let moving: [Step] = [
    .text(.movingAbout),
    .run("market data export my-data.json", .movingData),
    .run("market backup market.sqlite", .movingMarket),
    .text(.movingThere),
    .run("install -D -m 600 market.sqlite ~/.local/share/market/market.sqlite", .movingMarketThere),
    .run("market data import my-data.json", .movingDataThere),
    .text(.movingSeller),
    .run("market identity --server home > identifier.txt", .movingIdentity),
    .run("market identity import --server home < identifier.txt", .movingIdentityThere),
  ]

  private static let backup: [Step] = [
    .text(.backupAbout),
    .run(
      "market-server backup ~/market-backup.sqlite --store /var/lib/openmarket/market.sqlite",
      .backupServer),
    .text(.backupRestore),
    .run("systemctl stop openmarket-server", .backupStop),
    .run(
      "cd /var/lib/openmarket && mkdir -m 700 old && mv market.sqlite* old",
      .backupOld),
    .run(
      "install -o openmarket -g openmarket -m 600 ~/market-backup.sqlite market.sqlite",
      .backupCopy),
    .run("systemctl start openmarket-server", .backupStart),
    .text(.backupLocal),
  ]

  private static let ssh: [Step] = [
    .text(.sshAbout),
    .run("ssh -p 2222 market@market.example", .sshScreen),
    .run("ssh -p 2222 look@market.example", .sshLook),
    .run("ssh -p 2222 market@market.example list --search bike", .sshCommand),
    .run("ssh -p 2222 market@market.example upload-photo < bike.jpg", .sshPhoto),
    .text(.sshNoKey),
  ]

  private static let sshKey: [Step] = [
    .text(.sshKeyAbout),
    .run("ssh -i ~/.ssh/old_key -o IdentitiesOnly=yes -p 2222 market@market.example", .sshKeyOld),
    .text(.sshKeyLost),
    .run("ssh-keygen -R '[market.example]:2222'", .sshKeyForget),
  ]

  private static let log: [Step] = [
    .text(.logAbout),
    .run("market --log market.log", .logWrite),
    .run("market --log market.log --log-requests", .logRequestsWrite),
    .run("market doctor", .logDoctor),
    .text(.logServer),
    .run("journalctl -u openmarket-server --since today", .logJournal),
  ]

  private static func topic(_ name: String, _ title: Phrase, _ steps: [Step]) -> HelpTopic {
    HelpTopic(name, title, followsExamples: false) { strings in
      steps.flatMap { blocks($0, strings) }
    }
  }

  private static func blocks(_ step: Step, _ strings: Strings) -> [HelpSection.Block] {
    switch step {
    case .text(let phrase): [.text(strings[phrase])]
    case .run(let line, let summary): [.example(SafeText(line), strings[summary])]
    case .keys(let names):
      NamedKeyCommand.all.filter { names.contains($0.name) }.map { $0.item(strings) }
    }
  }
}

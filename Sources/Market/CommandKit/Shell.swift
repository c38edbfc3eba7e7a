/// A shell whose words a program completes.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// What the shell reads to complete the words of a program.
  ///
  /// The words themselves come from the program at each Tab, asked by `CompletionProtocol.command`: so they know
  /// the settings, and are of the version that is installed.
  package func script(for program: String) -> String {
    let text =
      switch self {
      case .bash: Self.bashScript
      case .zsh: Self.zshScript
      case .fish: Self.fishScript
      }
    let name = program.map { $0 == "-" ? "_" : $0 }
    return text.replacing("NAME", with: String(name)).replacing("PROGRAM", with: program)
      .replacing("COMMAND", with: CompletionProtocol.command)
      .replacing("FILES", with: CompletionProtocol.files)
  }

  private static let bashScript = #"""
    _NAME() {
      local program=${1/#\~\//$HOME/} current=${COMP_WORDS[COMP_CWORD]} word
      [[ $current == = ]] && current=
      COMPREPLY=()
      while IFS=$'\t' read -r word _; do
        case $word in
          FILES)
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
            ;;
          *) COMPREPLY+=("$word") ;;
        esac
      done < <("$program" COMMAND "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    }
    complete -F _NAME PROGRAM
    """#

  private static let zshScript = #"""
    #compdef PROGRAM
    _NAME() {
      local line
      local -a values
      for line in "${(@f)$(${~words[1]} COMMAND "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
          FILES) _files ;;
          ?*) values+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
      done
      (( $#values )) && _describe -t values PROGRAM values
    }
    if [[ ${funcstack[1]} == _NAME ]]; then _NAME "$@"; else compdef _NAME PROGRAM; fi
    """#

  private static let fishScript = #"""
    function __words_of_NAME
      set -l words (commandline -opc)
      set -l current (commandline -ct)
      for line in (PROGRAM COMMAND $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = FILES
          __fish_complete_path "$current"
        else
          echo $line
        end
      end
    end
    complete -c PROGRAM -f -a '(__words_of_NAME)'
    """#
}

import { Argument, type Command } from 'commander'

import { newCommand } from './new-command.ts'

/** Each asks `dragoman complete -- WORDS` for lines of a value, a tab and a description. Without any, files fit. */
const SCRIPTS = {
  bash: String.raw`_dragoman() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$(printf '%s' "$line" | cut -f 1)")
  done < <(dragoman complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _dragoman dragoman`.replaceAll('\\$', '$'),
  zsh: String.raw`#compdef dragoman
_dragoman() {
  local -a choices
  local line
  for line in "\${(@f)$(dragoman complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && choices+=("\${\${line//:/\\:}/$'\t'/:}")
  done
  if (( \${#choices} )); then _describe -o 'dragoman' choices; else _files; fi
}
compdef _dragoman dragoman`.replaceAll('\\$', '$'),
  fish: `function __dragoman_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  dragoman complete -- $words[2..-1] "$current" 2>/dev/null
end
complete -c dragoman -a '(__dragoman_complete)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName dragoman -ScriptBlock {
  param($word, $command, $position)
  $words = @($command.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  dragoman complete -- @words 2>$null | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    $tip = if ($description) { $description } else { $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $tip)
  }
}`,
}

type Shell = keyof typeof SCRIPTS

const DESCRIPTION = `Prints the completions of dragoman for a shell.`

const READ_MORE = `
  bash        source <(dragoman completion bash)       in ~/.bashrc
  zsh         source <(dragoman completion zsh)        in ~/.zshrc, after compinit
  fish        dragoman completion fish | source        in ~/.config/fish/config.fish
  powershell  dragoman completion powershell | Out-String | Invoke-Expression
              in $PROFILE
`

export function completionCommand(): Command {
  return newCommand('completion')
    .description(DESCRIPTION)
    .addArgument(new Argument('<SHELL>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', READ_MORE)
    .action((shell: Shell) => void process.stdout.write(`${SCRIPTS[shell]}\n`))
}

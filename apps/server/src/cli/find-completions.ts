import type { Argument, Command, Option } from 'commander'

/** A word that fits, and what it means. */
export type Completion = { readonly value: string; readonly description: string }

/** Finds what the last one of the words may become. None: the word is free, or a file's name. */
export function findCompletions(program: Command, words: readonly string[]): readonly Completion[] {
  const current = words.at(-1) ?? ''
  return candidates(readWords(program, words.slice(0, -1)), current).filter(({ value }) =>
    value.startsWith(current),
  )
}

/** Where a command line has come to. */
type Position = {
  readonly command: Command
  /** Arguments so far. */
  readonly count: number
  /** The option that needs a value now. */
  readonly option: Option | undefined
}

function readWords(program: Command, words: readonly string[]): Position {
  let command = program
  let count = 0
  let option: Option | undefined
  for (const word of words) {
    if (option) {
      option = undefined
    } else if (word.startsWith('-')) {
      const found = command.options.find(({ long, short }) => word === long || word === short)
      option = found?.required ? found : undefined
    } else {
      const next = count === 0 ? command.commands.find((each) => each.name() === word) : undefined
      if (next) command = next
      else count += 1
    }
  }
  return { command, count, option }
}

function candidates({ command, count, option }: Position, current: string): readonly Completion[] {
  const help = command.createHelp()
  if (option) return choicesOf(option)
  if (current.startsWith('-'))
    return help
      .visibleOptions(command)
      .flatMap(({ long, description }) =>
        long === undefined || long === null ? [] : [{ value: long, description }],
      )
  const subcommands = count === 0 ? help.visibleCommands(command) : []
  if (subcommands.length > 0)
    return subcommands.map((each) => ({
      value: each.name(),
      description: each.summary() || each.description(),
    }))
  const argument = command.registeredArguments[count]
  return argument ? choicesOf(argument) : []
}

function choicesOf({ argChoices = [] }: Argument | Option): readonly Completion[] {
  return argChoices.map((value) => ({ value, description: '' }))
}

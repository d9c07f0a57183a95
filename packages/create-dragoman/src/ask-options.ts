import { confirm, isCancel, select, text } from '@clack/prompts'

import {
  DEFAULTS,
  PROVIDERS,
  type CommandLineOptions,
  type ProjectOptions,
  type Provider,
} from './options.ts'

/** Asks for missing options, at most three questions. Returns undefined if the user cancels. */
export async function askOptions(flags: CommandLineOptions): Promise<ProjectOptions | undefined> {
  if (flags.yes) return { ...DEFAULTS, ...flags }
  const folder = flags.folder ?? (await text({ message: 'Where?', initialValue: DEFAULTS.folder }))
  if (isCancel(folder)) return undefined
  const provider = flags.provider ?? (await askProvider())
  if (isCancel(provider)) return undefined
  const page = flags.page ?? (await confirm({ message: 'With a chat page (React, useChat)?' }))
  if (isCancel(page)) return undefined
  return { folder, provider, page }
}

function askProvider() {
  return select<Provider>({
    message: 'Which model provider?',
    initialValue: DEFAULTS.provider,
    options: Object.entries(PROVIDERS).map(([value, provider]) => ({
      value: value as Provider,
      label: provider ? value : 'none yet: the demo model answers',
    })),
  })
}

import { confirm, isCancel, select, text } from '@clack/prompts'

import { DEFAULTS, PROVIDERS, type GivenOptions, type ProjectOptions, type Provider } from './options.ts'

/** Asks for what was not given, at most three questions. Nothing if the user cancels. */
export async function askFor(given: GivenOptions): Promise<ProjectOptions | undefined> {
  if (given.yes) return { ...DEFAULTS, ...given }
  const folder = given.folder ?? (await text({ message: 'Where?', initialValue: DEFAULTS.folder }))
  if (isCancel(folder)) return undefined
  const provider = given.provider ?? (await askProvider())
  if (isCancel(provider)) return undefined
  const page = given.page ?? (await confirm({ message: 'With a chat page (React, useChat)?' }))
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

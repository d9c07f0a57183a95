import { parseArgs } from 'node:util'

/** The providers that a project can begin with, and the model that its agent names. */
export const PROVIDERS = {
  anthropic: { model: 'anthropic/claude-sonnet-5-5', package: '@ai-sdk/anthropic', key: 'ANTHROPIC_API_KEY' },
  openai: { model: 'openai/gpt-5', package: '@ai-sdk/openai', key: 'OPENAI_API_KEY' },
  google: { model: 'google/gemini-2.5-pro', package: '@ai-sdk/google', key: 'GOOGLE_API_KEY' },
  none: undefined,
} as const

export type Provider = keyof typeof PROVIDERS

/** The choices for a project. */
export type ProjectOptions = { readonly folder: string; readonly provider: Provider; readonly page: boolean }

/** The options of the command line. `yes`: ask no question. */
export type CommandLineOptions = Partial<ProjectOptions> & { readonly yes: boolean; readonly help: boolean }

export const DEFAULTS: ProjectOptions = { folder: 'my-agent', provider: 'anthropic', page: true }

/** @throws Error for an option that is not known or has a wrong value: the sentence names it */
export function parseOptions(args: readonly string[]): CommandLineOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      provider: { type: 'string' },
      page: { type: 'boolean' },
      'no-page': { type: 'boolean' },
      yes: { type: 'boolean', short: 'y' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const { provider, page, yes = false, help = false } = values
  const [folder, ...others] = positionals
  if (others.length > 0)
    throw new Error(`Name one folder, not ${positionals.length}: ${positionals.join(', ')}.`)
  if (provider !== undefined && !isProvider(provider))
    throw new Error(`--provider must be one of ${Object.keys(PROVIDERS).join(', ')}, not ${provider}.`)
  if (page && values['no-page']) throw new Error('--page and --no-page exclude each other.')
  return {
    yes,
    help,
    ...(folder !== undefined && { folder }),
    ...(provider !== undefined && { provider }),
    ...(page && { page }),
    ...(values['no-page'] && { page: false }),
  }
}

function isProvider(name: string): name is Provider {
  return Object.hasOwn(PROVIDERS, name)
}

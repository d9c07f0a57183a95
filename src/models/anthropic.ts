import { readBaseUrl } from './base-url.ts'
import { readAccess, setting, type Environment, type Provider } from './provider.ts'

/** The newest Sonnet among the model ids in the typings of `@ai-sdk/anthropic` 4.0.105. */
const NEWEST_SONNET = 'claude-sonnet-5-5'
/** The newest Haiku there. */
const NEWEST_HAIKU = 'claude-haiku-5-5'

const OFFICIAL = 'https://api.anthropic.com/v1'

/** The short names that agents use for Claude models. */
export function claudeAliases(env: Environment): ReadonlyMap<string, string> {
  return new Map([
    ['sonnet', setting(env, 'CLAUDE_MODEL') ?? NEWEST_SONNET],
    ['haiku', NEWEST_HAIKU],
  ])
}

/** Anthropic, or a gateway that speaks its protocol. @throws ServiceError `invalid-request` for an unreadable base URL. */
export function anthropic(env: Environment): Provider {
  const access = readAccess(env, 'ANTHROPIC') ?? readAccess(env, 'CLAUDE')
  const baseURL = access?.baseUrl ? readBaseUrl(access.baseUrl.text, access.baseUrl.variable).href : OFFICIAL
  return {
    name: 'anthropic',
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
    configuredBy: access?.configuredBy,
    defaultModel: setting(env, 'CLAUDE_MODEL') ?? NEWEST_SONNET,
    async load(modelId) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      // Both are always given: left out, the package would look for them in process.env by itself. It also insists on a
      // key, even for a gateway that wants none.
      return createAnthropic({ baseURL, apiKey: access?.key ?? 'none' })(modelId)
    },
  }
}

import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import { isJsonObject, type Json } from '../events/index.ts'
import type { ProviderApi } from './provider-api.ts'
import { limitDescriptions, limitTokens, limitTools } from './refusal-limits.ts'
import { plainTool, withoutTool } from './refused-tools.ts'
import type { Refusal, Remedies, Remedy } from './remedy.ts'
import { answerOutcomes, instructUser, separateCalls, withShortIds } from './strict-prompts.ts'

type Options = LanguageModelV4CallOptions
type JsonObject = { readonly [key: string]: Json }
type Rule = (refusal: Refusal) => Remedy | undefined

const WITHOUT_EAGER_INPUT: Remedy = {
  name: 'eager_input_streaming',
  change: (options) => ({
    ...options,
    providerOptions: {
      ...options.providerOptions,
      anthropic: { ...options.providerOptions?.['anthropic'], toolStreaming: false },
    },
  }),
}

const ANSWER_OUTCOMES: Remedy = {
  name: 'outcomes',
  change: (options) => ({ ...options, prompt: answerOutcomes(options.prompt) }),
}

/** What the package takes for a model that it does not know, 4,096 tokens, cuts long answers and calls off. */
const LONG_ANSWERS: Remedy = {
  name: 'long answers',
  change: (options) => ({ ...options, maxOutputTokens: options.maxOutputTokens ?? 32_000 }),
}

/** Fields that this server or a package adds. An answer comes without them too. */
const FIELDS = [
  'cache_control',
  'stream_options',
  'response_format',
  'reasoning_content',
  'reasoning_details',
  'reasoning_opaque',
  'thinking_blocks',
  'thought_signatures',
  'provider_specific_fields',
  'extra_content',
  'parallel_tool_calls',
  'include',
  'store',
  'strict',
]

const REFUSED = new RegExp(
  [
    "(?:not|n't) (?:\\w+ )?(?:permitted|support|allowed|recogni|known|valid|implement|exist)",
    'unsupported|unknown|unrecogni|unexpected|forbidden|cannot find|no such',
    'extra\\b|additional',
  ].join('|'),
  'i',
)

/** What a provider may refuse, and the request without it. The first rule that has an effect counts. */
const RULES: readonly Rule[] = [
  ofWords(/eager_input_streaming/, WITHOUT_EAGER_INPUT),
  ({ words }) => {
    const name = REFUSED.test(words) ? FIELDS.find((field) => isNamed(field, words)) : undefined
    return name === undefined ? undefined : { name, changeBody: (body) => withoutField(body, name) }
  },
  limitTokens,
  limitDescriptions,
  limitTools,
  plainTool,
  withoutTool,
  ofWords(/max_completion_tokens|max_tokens['"` ].{0,30}not supported/i, {
    name: 'max_completion_tokens',
    changeBody: ({ max_tokens: tokens, ...body }) =>
      tokens === undefined ? body : { ...body, max_completion_tokens: tokens },
  }),
  ofWords(/temperature/i, without('temperature')),
  ofWords(/reason|think/i, without('reasoning')),
  ofWords(/tool.?choice/i, without('toolChoice')),
  ofWords(/(?:system|developer) (?:role|message|prompt|instruction)s?\b.{0,60}\bnot\b/i, {
    name: 'system',
    change: (options) => ({ ...options, prompt: instructUser(options.prompt) }),
  }),
  // Mistral takes nine letters and digits alone, OpenAI no more than 64 characters.
  ofWords(/(?:tool.?call.?id|tool_calls\S{0,12}id|tool_use\.id|call_id).{0,80}(?:length|long|pattern)/i, {
    name: 'ids',
    change: (options) => ({ ...options, prompt: options.prompt.map(withShortIds) }),
  }),
  ofWords(/(?:single|only one|multiple|parallel) tool.?calls?/i, {
    name: 'calls',
    change: (options) => ({ ...options, prompt: separateCalls(options.prompt) }),
  }),
  ofWords(/\brole\b.{0,12} after role|roles must alternate/i, ANSWER_OUTCOMES),
]

/** The remedy for a refusal, if there is one that is not tried yet and changes something. */
export function findRemedy(refusal: Refusal, tried: Remedies, canChangeBody: boolean): Remedy | undefined {
  for (const rule of RULES) {
    const remedy = rule(refusal)
    if (!remedy || tried.has(remedy.name)) continue
    if (remedy.change ? hasEffect(remedy.change, refusal.request) : canChangeBody) return remedy
  }
  return undefined
}

const OFFICIAL_CLAUDE = /^https:\/\/api\.anthropic\.com\//
const STRICT_TEMPLATES = /mistral|ministral|mixtral|magistral|devstral|codestral|pixtral/i

/** What a model is known to need before it has refused anything. */
export function usualRemedies(api: ProviderApi, baseURL: string, modelId: string): Remedies {
  const usual = [
    ...(api === 'anthropic' && !OFFICIAL_CLAUDE.test(baseURL) ? [WITHOUT_EAGER_INPUT] : []),
    ...(api === 'anthropic' && !/claude/i.test(modelId) ? [LONG_ANSWERS] : []),
    ...(api === 'chat' && STRICT_TEMPLATES.test(`${modelId} ${baseURL}`) ? [ANSWER_OUTCOMES] : []),
  ]
  return new Map(usual.map((remedy) => [remedy.name, remedy]))
}

/** Sends bodies as their model needs them. What it needs may change between two requests. */
export function applyRemedies(send: typeof fetch, remedies: Remedies): typeof fetch {
  return (url, options) => {
    const changes = [...remedies.values()].flatMap(({ changeBody }) => changeBody ?? [])
    if (changes.length === 0 || typeof options?.body !== 'string') return send(url, options)
    const body = changes.reduce((changed, change) => change(changed), JSON.parse(options.body) as JsonObject)
    return send(url, { ...options, body: JSON.stringify(body) })
  }
}

function ofWords(pattern: RegExp, remedy: Remedy): Rule {
  return ({ words }) => (pattern.test(words) ? remedy : undefined)
}

function without(setting: keyof Options): Remedy {
  return {
    name: setting,
    change(options) {
      const { [setting]: _, ...others } = options
      return others as Options
    },
  }
}

function hasEffect(change: NonNullable<Remedy['change']>, options: Options): boolean {
  const changed = change(options)
  const names = Object.keys({ ...options, ...changed }) as (keyof Options)[]
  return names.some((name) => changed[name] !== options[name])
}

/** A word of prose counts only between quotes. */
function isNamed(field: string, words: string): boolean {
  if (field === 'stream_options' && words.includes('include_usage')) return true
  return field.includes('_')
    ? words.includes(field)
    : ["'", '"', '`'].some((quote) => words.includes(`${quote}${field}${quote}`))
}

/** Where the names of fields are those of a tool's own. */
const OPAQUE = /^(?:parameters|input_schema|input|arguments|args|schema)$/

function withoutField(value: JsonObject, field: string): JsonObject {
  const read = (each: Json): Json => {
    if (Array.isArray(each)) return (each as readonly Json[]).map(read)
    return isJsonObject(each) ? withoutField(each, field) : each
  }
  const others = Object.entries(value).filter(([name]) => name !== field)
  return Object.fromEntries(others.map(([name, each]) => [name, OPAQUE.test(name) ? each : read(each)]))
}

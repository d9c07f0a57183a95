import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import type { Json } from '../events/index.ts'
import type { ProviderApi } from './provider-api.ts'

/** The model and the key that a caller wants for one request. It is never stored. */
export type LlmConfig = {
  readonly apiKey?: string | undefined
  readonly modelId?: string | undefined
  readonly provider?: string | undefined
  readonly baseUrl?: string | undefined
  /** The API of the provider, if the caller names it. */
  readonly api?: ProviderApi | undefined
  readonly temperature?: number | undefined
  readonly maxTokens?: number | undefined
  /** Tokens that the model can read. */
  readonly contextWindow?: number | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Those in which keys travel. */
export const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'] as const

/** Whether the caller comes with a key of their own. */
export function hasKey({ apiKey, headers }: LlmConfig): boolean {
  return apiKey !== undefined || KEY_HEADERS.some((each) => Object.hasOwn(headers, each))
}

/** Headers of the connection itself, and headers that could redirect the request. */
const RESERVED_HEADERS = new RegExp(
  '^(?:host|content-.*|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|' +
    'accept-encoding|cookie|proxy-.*)$',
  'i',
)

/** Forms send empty fields for missing values. */
function optionalField<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional())
}

const name = optionalField(
  z
    .string('must be text')
    .trim()
    .max(200, 'is too long')
    .regex(/^[\x21-\x7e]*$/, 'must be a name'),
)
// `fetch` quotes a value that it cannot send, so such a value is refused first.
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/
/** The message for a value that is no object. */
const OBJECT = 'must be an object'
const headers = optionalField(
  z
    .record(
      z.string(),
      z.string('must be text').regex(sendable, 'holds characters that no header can'),
      OBJECT,
    )
    .superRefine((input, context) => {
      for (const each of Object.keys(input)) {
        const problem = /^[\w!#$%&'*+.^`|~-]+$/.test(each)
          ? RESERVED_HEADERS.test(each) && 'is not yours to set'
          : 'is no header'
        if (problem) context.addIssue({ code: 'custom', path: [each], message: problem })
      }
    }),
)
const apis: ReadonlyMap<string, ProviderApi> = new Map([
  ['anthropic-messages', 'anthropic'],
  ['google-generative-ai', 'google'],
  ['openai-completions', 'chat'],
  ['openai-responses', 'responses'],
])
const options = {
  apiKey: optionalField(
    z
      .string('must be text')
      .trim()
      .max(4096, 'is too long')
      .regex(/^[\x21-\x7e]*$/, 'is no key'),
  ),
  temperature: optionalField(
    z.number('must be a number').min(0, 'must be 0 or more').max(2, 'must be 2 or less'),
  ),
  maxTokens: optionalField(
    z.int('must be a whole number').min(1, 'must be 1 or more').max(10_000_000, 'is too large'),
  ),
  headers,
}
const target = {
  provider: name,
  baseUrl: optionalField(z.string('must be an address').trim().max(2000, 'is too long')),
}
/** A model in the format of pi. Its `maxTokens` is its maximum output. */
const piModel = z.looseObject({
  id: name,
  api: optionalField(z.string()),
  ...target,
  maxTokens: options.maxTokens,
  contextWindow: options.maxTokens,
  headers,
})
const schema = z.looseObject(
  {
    ...options,
    ...target,
    model: z.union([name, piModel], 'must be a name, or a model with an id'),
    streamOptions: optionalField(z.looseObject(options, OBJECT)),
  },
  OBJECT,
)

/**
 * Reads a request's `llmConfig`. @throws ServiceError `invalid-request`, naming the field and never quoting its
 * value
 */
export function readLlmConfig(llmConfig: Json | undefined): LlmConfig {
  const result = schema.safeParse(llmConfig ?? {})
  if (!result.success) {
    const [issue] = result.error.issues
    const field = ['llmConfig', ...(issue?.path ?? []).map(String)].join('.')
    throw new ServiceError('invalid-request', `${field} ${issue?.message ?? 'is not as it must be'}`)
  }
  const { streamOptions = {}, ...own } = result.data
  const model: Partial<z.output<typeof piModel>> =
    typeof own.model === 'object' ? own.model : { id: own.model }
  return {
    apiKey: own.apiKey ?? streamOptions.apiKey,
    modelId: model.id,
    provider: own.provider ?? model.provider,
    baseUrl: own.baseUrl ?? model.baseUrl,
    api: model.api === undefined ? undefined : apis.get(model.api),
    temperature: own.temperature ?? streamOptions.temperature,
    maxTokens: own.maxTokens ?? streamOptions.maxTokens ?? model.maxTokens,
    contextWindow: model.contextWindow,
    headers: lowerCaseKeys({ ...model.headers, ...streamOptions.headers, ...own.headers }),
  }
}

function lowerCaseKeys(input: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(input).map(([each, value]) => [each.toLowerCase(), value]))
}

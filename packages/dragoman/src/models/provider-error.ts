import { isJsonObject, type Json } from '../events/index.ts'
import { scrub } from '../scrub/index.ts'
import { pageTitle } from './page-title.ts'
import { readJsonReason } from './read-json-reason.ts'
import { retryAfterOf } from './retry-after.ts'

/** The fields of errors of the AI SDK, its retries and its streams. Reading them needs no package. */
export type ProviderError = {
  readonly statusCode?: unknown
  readonly responseHeaders?: unknown
  readonly responseBody?: unknown
  readonly lastError?: unknown
  readonly cause?: unknown
  readonly code?: unknown
  readonly type?: unknown
  readonly status?: unknown
  readonly isRetryable?: unknown
  readonly name?: unknown
  readonly functionality?: unknown
  readonly message?: unknown
}

/** What the types and codes of providers stand for. */
const STATUS_OF_TYPE: readonly (readonly [RegExp, number])[] = [
  [/^rate_?limit|^too_many_requests|^resource_exhausted$|^throttling/i, 429],
  [/overloaded|^(?:service_)?unavailable(?:_error)?$|^slow_down$/i, 529],
  [/^invalid_(?:request|argument|prompt)|^bad_request|^failed_precondition$/i, 400],
  [/^authentication_error$|^unauthenticated$|^invalid_api_key$/i, 401],
  [/^permission_(?:error|denied)$/i, 403],
  [/^(?:model_)?not_found(?:_error)?$/i, 404],
]

/**
 * The HTTP status of an error. Some streams contain it as a numeric `code`, others only name the type of the error, and
 * packages call that 500.
 */
export function statusOf(error: ProviderError): number | undefined {
  const status = [error.statusCode, error.code].find(
    (each): each is number => typeof each === 'number' && each >= 300 && each < 600,
  )
  if (status !== undefined && status !== 500) return status
  const types = typesOf(error)
  return STATUS_OF_TYPE.find(([type]) => types.some((each) => type.test(each)))?.[1] ?? status
}

function typesOf({ code, type, status, responseBody }: ProviderError): string[] {
  const body = tryParseJson(responseBody)
  const error = isJsonObject(body) ? (body['error'] ?? body) : undefined
  const own = isJsonObject(error) ? [error['code'], error['type'], error['status']] : []
  return [code, type, status, ...own].filter((each) => typeof each === 'string')
}

/** The provider's own reason, without keys; undefined if there is none. */
export function readReason(error: ProviderError, secrets: readonly string[]): string | undefined {
  const texts = [
    readJsonReason(tryParseJson(error.responseBody)),
    readMessageReason(error),
    readTextReason(error.responseBody),
  ]
  const words = texts.find((each) => each !== undefined && each.trim() !== '')
  const reason = words === undefined ? '' : scrub(words, { secrets }).replace(/\.$/, '')
  return reason === '' || reason === '[key]' ? undefined : reason
}

/** The fields of an error, which may be on its prototype. */
export function readFields({
  message,
  code,
  type,
  responseBody,
  responseHeaders,
  name,
}: ProviderError): ProviderError {
  return { message, code, type, responseBody, responseHeaders, name }
}

/** The end of a sentence. */
export function sentenceEnd(reason: string | undefined): string {
  return reason === undefined ? '.' : `: ${reason}.`
}

export function withReason(message: string, reason: string | undefined): string {
  return reason === undefined ? message : `${message} The provider says: ${reason}.`
}

/**
 * Whether the request exceeded the context window. There is no standard, so this knows the messages of many
 * providers.
 */
export function isContextFull(error: ProviderError, status: number | undefined): boolean {
  if (status === 413) return true
  if (status !== undefined && status !== 400 && status !== 422) return false
  return wordsOf(error).some((words) => CONTEXT_FULL.test(words))
}

/** Whether the account has no credit or quota left. A limit that passes soon names the time to wait. */
export function isQuotaUsedUp(error: ProviderError): boolean {
  const words = wordsOf(error)
  const wait = retryAfterOf(error)
  const passesSoon =
    wait === undefined
      ? words.some((each) => /retry[ _-]?(?:in|after|delay)/i.test(each))
      : wait < MIN_LONG_WAIT_SECONDS
  return !passesSoon && words.some((each) => QUOTA_USED_UP.test(each))
}

/** Whether the key is refused, in words: some providers do so with status 400, or within a stream. */
export function isKeyRefused(error: ProviderError): boolean {
  const { statusCode } = error
  const mayMeanKey = statusCode === undefined || statusCode === 200 || statusCode === 400
  return mayMeanKey && wordsOf(error).some((each) => KEY_REFUSED.test(each))
}

function wordsOf({ message, code, type, responseBody }: ProviderError): string[] {
  return [message, code, type, responseBody]
    .filter((each) => typeof each === 'string')
    .map((each) => each.slice(0, MAX_CHARACTERS))
}

const MAX_CHARACTERS = 8192
const MIN_LONG_WAIT_SECONDS = 3600

const QUOTA_USED_UP = new RegExp(
  [
    // OpenAI, Google, Azure
    'insufficient_quota',
    'exceeded your current quota',
    'billing_(?:hard_limit_reached|not_active)',
    // Anthropic
    'credit balance is too low',
    // OpenRouter, DeepSeek, Together, xAI
    'insufficient (?:credits?|balance|funds)',
    'no (?:remaining )?credits? (?:left|remaining)',
    'run out of credits',
    'requires more credits',
    'add \\d+ credits',
    'key limit exceeded',
    // LiteLLM
    'exceeded_?budget',
    'budget_exceeded',
    '(?:over|exceeded (?:your|the)) budget',
    'budget has been exceeded',
    // Codex, Claude Code and other plans
    'usage_limit_reached',
    '(?:hit|reached) your (?:\\w+ )?(?:usage|spend(?:ing)?) limit',
    // Kimi, Qwen, Zhipu
    'exceeded_current_quota',
    'arrearage',
    '余额不足|欠费',
  ].join('|'),
  'i',
)

const KEY_REFUSED =
  /(?:invalid|incorrect|wrong)[ _]api[ _]?key|api[ _]key[ _](?:is )?(?:not valid|invalid)|^authentication_error$/i

const CONTEXT_FULL = new RegExp(
  [
    // OpenAI, OpenRouter, LiteLLM, vLLM
    'context[_ ]length[_ ]exceeded',
    'maximum context length',
    'exceeds? the context window',
    // Anthropic, z.ai
    'prompt (?:is )?too long',
    'prompt exceeds max length',
    'request_too_large',
    'context_window_exceeded',
    'exceed context limit',
    // Google
    'exceeds the maximum number of (?:input )?tokens',
    'input token count.{0,80}exceeds',
    // xAI, Groq, Together, Bedrock
    'maximum prompt length',
    'reduce the length of the (?:messages|prompt|input)',
    "longer than the model'?s context length",
    'input is too long',
    // vLLM, TGI
    'longer than the maximum model length',
    'inputs. tokens [+] .max_new_tokens. must be',
    'max_tokens must be at least 1, got -',
    // llama.cpp, LM Studio, Ollama
    'available context size',
    'greater than the context length',
    'context length of only',
    'exceeded (?:max )?context length',
    // MiniMax, Kimi, Qwen, Doubao, SiliconFlow, Qianfan, Mistral, Copilot
    'context window exceeds',
    'exceeded model token limit',
    'range of input length should be',
    'message token length exceed',
    'exceed max message tokens',
    'less than (?:or equal to )?max_seq_len',
    'tokens[_ ]too[_ ]long',
    '(?:prompt|输入|上下文).{0,8}(?:超长|过长|超出.{0,8}长度|超过.{0,8}长度)',
    'too large for model with',
    'maximum allowed input length',
    'prompt token count.{0,80}exceeds',
    'too many tokens',
    'token limit exceeded',
  ].join('|'),
  'i',
)

function tryParseJson(body: unknown): Json | undefined {
  if (typeof body !== 'string') return undefined
  try {
    return JSON.parse(body) as Json
  } catch {
    return undefined
  }
}

/** Without a readable body, the SDK's message is the status text, which adds nothing to the number. */
function readMessageReason({ message, responseBody, name }: ProviderError): string | undefined {
  const isStatusText = typeof responseBody === 'string' && tryParseJson(responseBody) === undefined
  return typeof message === 'string' && !(isStatusText && name === 'AI_APICallError') ? message : undefined
}

/** Whether the body is a page of HTML: a proxy or a firewall has answered, not the provider. */
export function isPage({ responseBody }: ProviderError): boolean {
  return (
    typeof responseBody === 'string' && /<(?:!doctype|html|head|body)\b/i.test(responseBody.slice(0, 1000))
  )
}

/** A page of HTML is for browsers, but for its title. */
function readTextReason(body: unknown): string | undefined {
  if (typeof body !== 'string') return undefined
  return /[<{]/.test(body) ? pageTitle(body) : body
}

import { isServiceError, ServiceError, type ErrorCode } from '../errors.ts'
import {
  isUnsendable,
  noEventsFailure,
  pageFailure,
  quotaFailure,
  refusal,
  unsendableKeyError,
  type ModelCall,
} from './lasting-failures.ts'
import { describeNetworkError, isNetworkError } from './network-error.ts'
import {
  isContextFull,
  isKeyRefused,
  isPage,
  isQuotaUsedUp,
  readFields,
  readReason,
  sentenceEnd,
  statusOf,
  withReason,
  type ProviderError,
} from './provider-error.ts'
import { durationWords, retryAfterOf } from './retry-after.ts'

/**
 * Converts an error of a model provider to an error that may be shown. Keys are removed from the provider's
 * reason.
 */
export function modelFailure(error: unknown, call: ModelCall): ServiceError {
  const { name, secrets } = call
  const chain = [...causes(error)]
  const own = chain.find((link) => isServiceError(link))
  if (own) return own

  const body = chain.find((link) => link.name === 'NoEventsError')
  if (body) return noEventsFailure(body, call, error)
  const quota = chain.find(isQuotaUsedUp)
  if (quota) return quotaFailure(quota, call, error)
  const response = chain.find((link) => statusOf(link) !== undefined)
  if (response) return statusFailure(response, call, error)
  if (chain.some(isUnsendable)) return unsendableKeyError(call, error)
  const refused = chain.find(isKeyRefused)
  if (refused) return statusFailure({ ...readFields(refused), statusCode: 401 }, call, error)

  if (chain.some((link) => link.name === 'TimeoutError' || isTimeoutCode(link.code))) {
    return new ServiceError('timed-out', `The model ${name} took too long to answer.`, {
      cause: error,
      translations: { zh: `模型 ${name} 太久没有回应，请再试一次。` },
    })
  }
  if (chain.some((link) => link.name === 'AbortError')) {
    return new ServiceError('aborted', `The call of ${name} was stopped.`, {
      cause: error,
      translations: { zh: `对 ${name} 的请求被停止了。` },
    })
  }
  if (chain.some(({ statusCode }) => typeof statusCode === 'number'))
    return unreadableAnswerError(chain, name) ?? incompleteAnswerError(name, error)
  if (chain.some(isNetworkError)) {
    const { reason, advice, chinese, mayPass } = describeNetworkError(chain, secrets)
    return new ServiceError(
      mayPass ? 'model-failed' : 'model-refused',
      `The provider of ${name} could not be reached: ${reason}. ${advice}`,
      {
        cause: error,
        translations: { zh: `连不上 ${name} 的服务：${chinese}。请检查它的地址和本服务器的网络。` },
      },
    )
  }
  if (chain.some((link) => link.isRetryable === false || isRequestError(link))) {
    const media = chain.map(unsupportedMediaType).find((type) => type !== undefined)
    if (media === undefined) return refusal(error, call)
    return new ServiceError('model-refused', `The model ${name} takes no files of the type ${media}.`, {
      cause: error,
      translations: { zh: `${name} 不接受 ${media} 类型的文件。` },
    })
  }
  return streamFailure(error, call)
}

/** An error without a status, from within a stream: of the provider, of its package, or an unforeseen one. */
function streamFailure(error: unknown, { name, secrets = [] }: ModelCall): ServiceError {
  const details = readStreamError(error)
  const reason = readReason(details, secrets)
  if (isContextFull(details, undefined)) return contextFullError(name, reason, error)
  return new ServiceError(
    'model-failed',
    `The model ${name} did not answer as it should${sentenceEnd(reason)}`,
    {
      cause: error,
      translations: {
        zh: `模型 ${name} 没有正常回答${reason === undefined ? '' : `：${reason}`}，请再试一次。`,
      },
    },
  )
}

/** The message of an unforeseen error is not shown. Those of the SDK are about the answer. */
function readStreamError(error: unknown): ProviderError {
  if (typeof error === 'string') return { message: error }
  if (typeof error !== 'object' || error === null) return {}
  if (!(error instanceof Error)) return error
  if (/^AI_(?:TypeValidation|JSONParse)/.test(error.name))
    return { message: 'its answer is not of its protocol' }
  return /^AI_|^ProviderStreamError$/.test(error.name) ? readFields(error) : {}
}

function contextFullError(name: string, reason: string | undefined, cause: unknown): ServiceError {
  return new ServiceError(
    'context-full',
    `The conversation is too long for ${name}, even without its older turns${sentenceEnd(reason)}`,
    {
      cause,
      translations: {
        zh: `这段对话对 ${name} 来说太长了，省去较早的内容也放不下。请缩短消息，或开始新的对话。`,
      },
    },
  )
}

/** A success without a body, or with one that is not packed as it says: often the fault of a proxy. */
function unreadableAnswerError(chain: readonly ProviderError[], name: string): ServiceError | undefined {
  const code = chain
    .map((link) => String(link.code))
    .find((each) => /^(?:Z_DATA_ERROR$|ERR_.*FORMAT|ZSTD_)/.test(each))
  const status = chain.map((link) => Number(link.statusCode)).find((each) => each > 0)
  const isEmpty = chain.some((link) => link.name === 'AI_EmptyResponseBodyError')
  if (code === undefined && !isEmpty) return undefined
  const [what, chinese] = isEmpty
    ? [`is empty (status ${status})`, `是空的（状态码 ${status}）`]
    : [`cannot be unpacked: it is not what its content-encoding says (${code})`, `无法解压（${code}）`]
  return new ServiceError(
    'model-failed',
    `The provider's answer for ${name} ${what}. Check its address, and what is on the way to it.`,
    { cause: chain[0], translations: { zh: `${name} 的服务的回答${chinese}。请检查它的地址和中间的代理。` } },
  )
}

/** An answer that ended before its end. */
export function incompleteAnswerError(name: string, cause?: unknown): ServiceError {
  return new ServiceError('model-failed', `The model provider broke off the answer of ${name}.`, {
    cause,
    translations: { zh: `${name} 的回答中途断了，请再试一次。` },
  })
}

/** An answer that has ended and holds nothing to show. `reason` is the provider's own word for its end. */
export function emptyAnswerError(name: string, reason: string | undefined): ServiceError {
  const end = reason === undefined ? '' : ` (it ended with ${reason.slice(0, 100)})`
  return new ServiceError(
    'model-failed',
    `The answer of ${name} is empty${end}: it holds neither text nor a tool call. Ask again, or choose another model.`,
    {
      details: { isEmptyAnswer: true },
      translations: { zh: `${name} 的回答是空的，请再试一次，或换一个模型。` },
    },
  )
}

/** Codes of `fetch` after minutes without data. */
function isTimeoutCode(code: unknown): boolean {
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'
}

/** Errors of the SDK about the request itself, before it was sent. A retry would fail as well. */
function isRequestError({ name }: ProviderError): boolean {
  return /^AI_(?:Unsupported|InvalidArgument|InvalidPrompt|LoadAPIKey|NoSuch)/.test(String(name))
}

/** The media type that the SDK cannot send to this provider. */
function unsupportedMediaType({ functionality }: ProviderError): string | undefined {
  return /media type:? ([\w.+-]+\/[\w.+*-]+)/.exec(String(functionality))?.[1]
}

/** With a page of HTML, they are not about the key, the model or the conversation. */
const PAGE_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 413])

/** Describes a provider's error status in our words, with the reason in the provider's. */
function statusFailure(response: ProviderError, call: ModelCall, cause: unknown): ServiceError {
  const { name, keyVariable, secrets = [] } = call
  const status = statusOf(response) ?? 500
  if (isPage(response) && PAGE_STATUSES.has(status)) return pageFailure(response, status, call, cause)
  const reason = readReason(response, secrets)
  if (isContextFull(response, status)) return contextFullError(name, reason, cause)
  const retryAfter = retryAfterOf(response)
  const failure = (code: ErrorCode, message: string, chinese: string): ServiceError =>
    new ServiceError(code, withReason(message, reason), {
      cause,
      translations: { zh: reason === undefined ? chinese : `${chinese}模型服务说：${reason}。` },
      ...(retryAfter !== undefined && { retryAfter }),
      ...(status === 403 && { details: { providerStatus: status } }),
    })

  if (status === 401 || status === 403 || isKeyRefused(response)) {
    const message = `The model provider refused the key for ${name}. Check ${keyVariable}.`
    return failure('model-unauthorized', message, `模型服务不接受 ${name} 的密钥，请检查 ${keyVariable}。`)
  }
  if (status === 429) {
    const wait = retryAfter === undefined ? undefined : durationWords(retryAfter)
    const english = wait ? `Please wait ${wait.english}.` : 'Please try again later.'
    const chinese = `${name} 的请求太多了，请${wait ? `等 ${wait.chinese}` : '稍后'}再试。`
    return failure('rate-limited', `Rate limit exceeded for ${name}. ${english}`, chinese)
  }
  if (status === 404) {
    const message =
      `The model provider answered that there is no ${name}. Check the model's name, and the ` +
      `provider's address.`
    return failure('model-refused', message, `模型服务说没有 ${name}。请检查模型的名称和服务的地址。`)
  }
  if (status < 400) {
    const message = `The model provider sends the calls of ${name} elsewhere (status ${status}), which is not followed.`
    const chinese = `模型服务把 ${name} 的请求转到了别处（状态码 ${status}）。请检查服务的地址。`
    return failure('model-refused', `${message} Check the provider's address.`, chinese)
  }
  const options = { cause, ...(retryAfter !== undefined && { retryAfter }) }
  if (status === 503 || status === 529) {
    const message =
      `The model provider is overloaded: it answered the call of ${name} with status ` +
      `${status}${sentenceEnd(reason)}`
    const chinese = `模型服务现在太忙（${name}，状态码 ${status}），请稍后再试。`
    return new ServiceError('model-overloaded', message, { ...options, translations: { zh: chinese } })
  }
  const mayPass = status >= 500 || status === 408 || status === 409
  const done = mayPass ? 'answered the call of' : 'refused'
  return new ServiceError(
    mayPass ? 'model-failed' : 'model-refused',
    `The model provider ${done} ${name} with status ${status}${sentenceEnd(reason)}`,
    {
      ...options,
      translations: {
        zh: `模型服务对 ${name} 的请求回了状态码 ${status}${reason === undefined ? '' : `：${reason}`}。`,
      },
    },
  )
}

/** The error and its causes. A retry error wraps its last try. */
function* causes(error: unknown): Generator<ProviderError> {
  const visited = new Set<unknown>()
  let current = error
  while (typeof current === 'object' && current !== null && !visited.has(current)) {
    visited.add(current)
    const link: ProviderError = current
    yield link
    current = link.lastError ?? link.cause
  }
}

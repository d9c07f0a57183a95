import { ServiceError } from '../errors.ts'
import { durationWords, retryAfterOf } from './retry-after.ts'
import { readFields, readReason, sentenceEnd, withReason, type ProviderError } from './provider-error.ts'

/** The failed call: the model, the variable of its key, and secrets that the error must not repeat. */
export type ModelCall = {
  readonly name: string
  readonly keyVariable: string
  readonly secrets?: readonly string[]
}

/** An error that no retry can help, and that has no status. */
export function refusal(error: unknown, { name, secrets = [] }: ModelCall): ServiceError {
  const reason = typeof error === 'object' && error !== null ? readReason(error, secrets) : undefined
  return new ServiceError('model-refused', `The model ${name} cannot be asked this${sentenceEnd(reason)}`, {
    cause: error,
    translations: { zh: `不能向 ${name} 这样提问${reason === undefined ? '' : `：${reason}`}。` },
  })
}

/** The body of a success holds no events: the address is another one's, or something on the way answers. */
export function noEventsFailure(
  body: ProviderError,
  { name, secrets = [] }: ModelCall,
  cause: unknown,
): ServiceError {
  const reason = readReason(readFields(body), secrets)
  const message = `The provider of ${name} answered with no stream of events, but with ${reason ?? 'something else'}.`
  return new ServiceError('model-refused', `${message} Check its address, and what is on the way to it.`, {
    cause,
    translations: { zh: `${name} 的服务没有用事件流回答。请检查它的地址，以及中间的代理。` },
  })
}

/** A proxy or a firewall refuses the request. A smaller one may pass if this is about its size. */
export function pageFailure(
  response: ProviderError,
  status: number,
  { name, secrets = [] }: ModelCall,
  cause: unknown,
): ServiceError {
  const reason = readReason(response, secrets)
  const end = `status ${status}${reason === undefined ? '' : `: ${reason}`}`
  const isSize = status === 413
  const message = isSize
    ? `The request is too large for what is on the way to the provider of ${name} (${end}). Raise the limit there.`
    : `Something on the way to the provider of ${name} refuses its calls with a page of HTML (${end}). ` +
      'Check the address, and what is on the way to it.'
  const chinese = `到 ${name} 的服务的路上，有程序${isSize ? '嫌请求太大' : '拒绝了请求'}（${end}）。请检查地址和中间的代理。`
  return new ServiceError(isSize ? 'context-full' : 'model-refused', message, {
    cause,
    translations: { zh: chinese },
  })
}

/** An answer that ended before its first word, for a reason that a second try would meet too. */
export function noWordsError(name: string, reason: 'length' | 'content-filter'): ServiceError {
  const [message, chinese] =
    reason === 'length'
      ? [
          `${name} used up its tokens before its first word. Allow it more (maxOutputTokens), or less thinking.`,
          `${name} 还没说出第一个字就用完了 token。请调大 maxOutputTokens，或让它少思考。`,
        ]
      : [
          `The filter of the provider held the answer of ${name} back. Ask in other words, or choose another model.`,
          `${name} 的回答被模型服务的过滤器拦下了。请换个说法，或换一个模型。`,
        ]
  return new ServiceError('model-refused', message, { translations: { zh: chinese } })
}

/** A header cannot hold every character. The error of `fetch` quotes the header. */
export function isUnsendable({ name, message }: ProviderError): boolean {
  return name === 'TypeError' && /ByteString|header (?:value|name|content)/i.test(String(message))
}

export function unsendableKeyError({ name, keyVariable }: ModelCall, cause: unknown): ServiceError {
  const message =
    `The key for ${name} holds a character that no key can have, such as an invisible one. ` +
    `Copy it again into ${keyVariable}.`
  const chinese = `${name} 的密钥里有密钥不可能有的字符（例如看不见的字符）。请重新复制到 ${keyVariable}。`
  return new ServiceError('model-unauthorized', message, { cause, translations: { zh: chinese } })
}

/** The account at the provider has nothing left: asking again costs time and never helps. */
export function quotaFailure(
  error: ProviderError,
  { name, keyVariable, secrets = [] }: ModelCall,
  cause: unknown,
): ServiceError {
  const reason = readReason(error, secrets)
  const retryAfter = retryAfterOf(error)
  const wait = retryAfter === undefined ? undefined : durationWords(retryAfter)
  const message =
    `The provider's account has no credit or quota left for ${name}. Add some there, or use another key ` +
    `in ${keyVariable}.${wait ? ` It has some again in ${wait.english}.` : ''}`
  const again = wait ? `${wait.chinese}后会恢复。` : ''
  const chinese = `${name} 的服务账户没有余额或额度了。请充值，或在 ${keyVariable} 里换一个密钥。${again}`
  return new ServiceError('model-refused', withReason(message, reason), {
    cause,
    details: { isQuotaUsedUp: true },
    translations: { zh: reason === undefined ? chinese : `${chinese}模型服务说：${reason}。` },
  })
}

import { ServiceError } from '../errors.ts'
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
  const message =
    `The provider's account has no credit or quota left for ${name}. Add some there, or use another key ` +
    `in ${keyVariable}.`
  const chinese = `${name} 的服务账户没有余额或额度了。请充值，或在 ${keyVariable} 里换一个密钥。`
  return new ServiceError('model-refused', withReason(message, reason), {
    cause,
    details: { isQuotaUsedUp: true },
    translations: { zh: reason === undefined ? chinese : `${chinese}模型服务说：${reason}。` },
  })
}

import { scrub } from '../scrub/index.ts'
import type { ProviderError } from './provider-error.ts'

/** Why no answer came: a clause for people with the code of the system, and what to do. */
export type NetworkProblem = {
  readonly reason: string
  readonly advice: string
  readonly chinese: string
  /** Whether a later try may help. */
  readonly mayPass: boolean
}

/**
 * An SDK error without a status means that there was no response. `fetch` says only "fetch failed"; undici and
 * the system add a code.
 */
export function isNetworkError({ code, name, message }: ProviderError): boolean {
  if (name === 'AI_APICallError') return true
  if (typeof code === 'string' && (SYSTEM_CODE.test(code) || CERTIFICATE.test(code))) return true
  return name === 'TypeError' && /^(?:fetch failed|terminated)$/.test(String(message))
}

const SYSTEM_CODE = /^(?:E[A-Z]+|EAI_\w+|ERR_(?:SSL|TLS)_\w+|UND_ERR_\w+)$/
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|HOSTNAME_MISMATCH/

/** Describes the first code in the error and its causes, or else the message of the last cause. */
export function describeNetworkError(
  chain: readonly ProviderError[],
  secrets: readonly string[] = [],
): NetworkProblem {
  const code = chain.map((link) => link.code).find((each): each is string => typeof each === 'string')
  const [, reason, advice, chinese, mayPass] =
    PROBLEMS.find(([pattern]) => code !== undefined && pattern.test(code)) ?? OTHER
  const message = chain.at(-1)?.message
  const why = code ?? (typeof message === 'string' ? scrub(message, { secrets, maxCharacters: 100 }) : '')
  const end = why === '' ? '' : ` (${why})`
  return { reason: `${reason}${end}`, advice, chinese: `${chinese}${end}`, mayPass }
}

const WAY = "Check its address, and this server's way to it."

type Row = readonly [code: RegExp, reason: string, advice: string, chinese: string, mayPass: boolean]

const OTHER: Row = [/^/, 'the connection failed', WAY, '连接失败', true]
const PROBLEMS: readonly Row[] = [
  [/^ENOTFOUND$/, 'its host name is unknown here', 'Check its address.', '找不到这个主机名', true],
  [
    /^EAI_AGAIN$/,
    'its host name could not be looked up',
    'Check the DNS of this server.',
    '域名解析失败',
    true,
  ],
  [
    /^ECONNREFUSED$/,
    'nothing answers at its address',
    'Check its address, and whether it runs.',
    '没有程序在监听',
    true,
  ],
  [
    CERTIFICATE,
    'its certificate is not trusted',
    'Name the authority that issued it in NODE_EXTRA_CA_CERTS, and restart.',
    '它的证书不受信任',
    false,
  ],
  [
    /^EPROTO$|SSL|TLS/,
    'it does not speak TLS as expected',
    'Check whether its address begins with http or https.',
    'TLS 握手失败',
    false,
  ],
]

import { isIP } from 'node:net'

/** From where a request has come, as far as the line itself tells. */
type Line = {
  readonly url: string
  /** Of the other end of the line, where there is one. */
  readonly peer: string | undefined
  readonly header: (name: string) => string | undefined
}

const HERE = /^(?:127(?:\.\d{1,3}){3}|::1)$/

/**
 * The network address of whoever asks, and for IPv6 the /64 that one household has. A proxy on this machine says for whom it asks: its own word
 * is the last of `X-Forwarded-For`, all before it may be made up.
 */
export function networkOf({ peer, header }: Pick<Line, 'peer' | 'header'>): string {
  const end = plain(peer ?? '')
  if (!HERE.test(end)) return network(end)
  const told = lastOf(header('x-forwarded-for'))
  return told === undefined ? network(end) : network(plain(told))
}

/** Whether what is sent to them goes encrypted: up to us, or up to a proxy on this machine. */
export function isEncrypted({ url, peer, header }: Line): boolean {
  if (url.startsWith('https:')) return true
  return HERE.test(plain(peer ?? '')) && lastOf(header('x-forwarded-proto'))?.toLowerCase() === 'https'
}

function lastOf(list: string | undefined): string | undefined {
  const last = list?.split(',').at(-1)?.trim()
  return last === '' ? undefined : last
}

/** Without a port, a zone, and what an IPv4 address is wrapped in. */
function plain(address: string): string {
  const bare = address
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/%.*$/, '')
  return bare.replace(/^::ffff:(?=\d+\.)/i, '')
}

function network(address: string): string {
  const version = isIP(address)
  if (version === 0) return 'unknown'
  return version === 4 ? address : `${prefixOf(address)}::/64`
}

/** The first four groups of an IPv6 address, without leading zeros. */
function prefixOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::')
  const front = groupsIn(head)
  const back = groupsIn(tail ?? '')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...back]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/** An IPv4 address at the end stands for two groups. */
function groupsIn(text: string): string[] {
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['v4', 'v4'] : [group]))
}

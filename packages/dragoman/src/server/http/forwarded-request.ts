import { isIP } from 'node:net'

import { forwardedValues, normalizeAddress, splitHeaderList } from './client-address.ts'

/** How the headers begin that networks between a server and the internet add, with or without `x-` before it. */
const NETWORKS =
  'akamai|amz-cf|amzn|appengine|arr|azure|cdn|cf|cloud-trace|cloudfront|edge|envoy|fastly|fd|fly|gfe|' +
  'goog-authenticated|goog-iap|incap|max-forwards|ms-client-principal|nf|ngrok|' +
  'sucuri|tailscale|varnish|vercel(?!-ai-)|via'
const NETWORK_HEADER = new RegExp(`^(?:x-)?(?:${NETWORKS})(?:-|$)`)

/** Names of the headers by which a proxy says for whom it asks, by which host and scheme, and as which user. */
const PROXY_HEADER = new RegExp(
  [
    '(?:^|-)(?:forwarded|proxied|proxy|proxyuser)(?:-|$)',
    '(?:^|-)(?:client|origin|peer|real|remote|socket|source|src|user)?(?:ip|ipv4|ipv6|ipaddr)$',
    '^(?:x-)?(?:remote|ssl)-(?:addr|client|groups|host|port|protocol|user)',
    '^x-(?:original|real|rewrite)-(?:host|method|port|proto|scheme|uri|url)$',
    '^x-(?:auth-request|authentik|client-cert|pomerium|webauth)(?:-|$)',
    '^(?:front-end-https|x-(?:host|https?|queue-start|request-start|scheme|url-scheme))$',
  ].join('|'),
)
const NAMES_CLIENT = /(?:^|-)(?:for|forwarded|remote-addr|\w*(?:ip|ipv4|ipv6|ipaddr))$/
const NAMES_HOST = /-host$/
/** A version may look like an address. The others are the client's own. */
const HAS_NO_CLIENT = /^(?:host|cookie|user-agent|sec-.*)$|version/

const LOOPBACK_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|::1)$/

type Request = {
  readonly header: (name: string) => string | undefined
  readonly headerNames: () => readonly string[]
}

/**
 * Whether a proxy or a tunnel forwards a request for another machine. Any header that only proxies add says that it is
 * forwarded, and so does any header with the address of another machine. A proxy on this machine that forwards for this
 * machine shows it: it names a loopback address as its client, and only `hosts`.
 */
export function isForwarded(request: Request, hosts: ReadonlySet<string>): boolean {
  const headers = request.headerNames().map((name) => readHeader(request, name))
  const ofProxy = headers.filter(({ isOfProxy }) => isOfProxy)
  return (
    headers.some(({ name }) => NETWORK_HEADER.test(name)) ||
    headers.some(({ clients }) => clients.some((client) => !LOOPBACK_ADDRESS.test(client))) ||
    ofProxy.some((header) => header.hosts.some((host) => !hosts.has(host))) ||
    (ofProxy.length > 0 && !ofProxy.some(({ clients }) => clients.length > 0))
  )
}

function readHeader({ header }: Request, rawName: string) {
  const name = rawName.toLowerCase().replaceAll('_', '-')
  const isOfProxy = PROXY_HEADER.test(name)
  const values = splitHeaderList(header(rawName))
  const isStandard = name === 'forwarded'
  const clients = (isStandard ? forwardedValues(header, 'for') : values).map(normalizeAddress)
  const named = isStandard ? forwardedValues(header, 'host') : values
  return {
    name,
    isOfProxy,
    clients: isOfProxy && NAMES_CLIENT.test(name) ? clients : clients.filter(isAddressIn(name)),
    hosts: isStandard || NAMES_HOST.test(name) ? named.map(withoutPort) : [],
  }
}

function isAddressIn(name: string): (value: string) => boolean {
  return (value) => !HAS_NO_CLIENT.test(name) && isIP(value) !== 0
}

/** The name of a host in small letters. */
export function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

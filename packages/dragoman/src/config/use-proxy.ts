import http from 'node:http'

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const
/** As with curl and Go, no proxy is asked for this machine: a model may run on it. */
const THIS_MACHINE = 'localhost,127.0.0.1,[::1],::1'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Sends `fetch` and `http.request` through the proxy of HTTPS_PROXY and HTTP_PROXY, except to the hosts of NO_PROXY
 * and to this machine. A proxy without a scheme is an `http:` proxy. It holds for the whole process.
 * @returns the variables that are set, and the problem if they cannot be used
 *
 * @example
 * const { problem } = useProxy(process.env)
 * if (problem !== undefined) console.error(problem)
 */
export function useProxy(env: Environment): { readonly named: readonly string[]; readonly problem?: string } {
  const named = PROXIES.filter((name) => env[name])
  if (named.length === 0) return { named }
  // Node 24.14 brought it.
  if (typeof http.setGlobalProxyFromEnv !== 'function') {
    const problem = `Node ${process.version} sends no requests through a proxy. Use Node 24.14 or newer.`
    return { named, problem: `${named.join(', ')}: ${problem}` }
  }
  const excepted = env['no_proxy'] || env['NO_PROXY']
  const settings = {
    ...Object.fromEntries(named.map((name) => [name, withScheme(env[name] ?? '')])),
    NO_PROXY: excepted ? `${excepted},${THIS_MACHINE}` : THIS_MACHINE,
  }
  try {
    http.setGlobalProxyFromEnv(settings)
    return { named }
  } catch {
    const problem = 'is no address of a proxy, such as http://proxy.example:8080. Requests go without it.'
    return { named, problem: `${named.join(', ')}: ${problem}` }
  }
}

function withScheme(address: string): string {
  return address.includes('://') ? address : `http://${address}`
}

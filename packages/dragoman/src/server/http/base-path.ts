import type { IncomingMessage } from 'node:http'

/**
 * The target of a request without the path below which the server is. A proxy may have removed it already.
 *
 * @example
 * withoutBasePath('/api/agents/v1/threads?limit=5', '/api/agents') // '/v1/threads?limit=5'
 */
export function withoutBasePath(target: string, basePath: string): string {
  if (!target.startsWith(basePath)) return target
  const rest = target.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : target
}

/** For what reads the target of a request itself, as Socket.IO does. */
export function stripBasePath(incoming: IncomingMessage, basePath: string): void {
  if (basePath !== '') incoming.url = withoutBasePath(incoming.url ?? '/', basePath)
}

/** Answers requests of an application, whose URLs have the path below which it has the server. */
export function belowBasePath(
  fetch: (request: Request) => Promise<Response>,
  basePath: string,
): (request: Request) => Promise<Response> {
  if (basePath === '') return fetch
  return (request) => {
    const url = new URL(request.url)
    const target = withoutBasePath(url.pathname, basePath)
    if (target === url.pathname) return fetch(request)
    url.pathname = target
    return fetch(new Request(url, request))
  }
}

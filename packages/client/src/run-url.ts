/** Parameters that ask for something other than a run after its cursor. */
const DROPPED_PARAMETERS = ['chatId', 'after', 'startIndex']
/** A chat whose own path ends like that of a stream. */
const VIBELIFE = /\/api\/v1\/chat\/v5(?:\/guest)?\/stream$/

/** The URL of a stream in a protocol. Other parameters are kept. */
export function withProtocol(url: string, protocol: string): string {
  const { path, query } = splitQuery(url)
  query.set('protocol', protocol)
  return `${path}?${query.toString()}`
}

/**
 * Derives the URL of a run’s stream from the URL that responded with the run: below the chat’s path, where `useChat`
 * itself looks for it, or below `/v1/runs`, as for the chat stream. Parameters about reading (`client`,
 * `showThinking` …) are kept.
 */
export function runStreamUrl(runId: string, respondedUrl: string): string {
  const { path, query } = splitQuery(respondedUrl)
  // Only AI SDK 4 has its chat id in the query. Later versions have it before the last segment.
  const resumeSuffix = query.has('chatId') ? /\/stream$/ : /\/[^/]+\/stream$/
  const api = VIBELIFE.test(path) ? path : path.replace(resumeSuffix, '')
  const [, root] = /^(.*?)\/(?:v1\/(?:threads|runs)\/|api\/chat\/stream$)/.exec(path) ?? []
  for (const name of DROPPED_PARAMETERS) query.delete(name)
  const stream = root === undefined ? `${api}/${runId}/stream` : `${root}/v1/runs/${runId}/events`
  return `${stream}?${query.toString()}`
}

/** A URL may be relative, which `URL` does not accept. */
function splitQuery(url: string): { path: string; query: URLSearchParams } {
  const [path = '', search] = url.replace(/#.*/, '').split(/\?(.*)/s)
  return { path, query: new URLSearchParams(search) }
}

/** What asks for something else than a run from its cursor on. */
const DROPPED_PARAMETERS = ['chatId', 'after', 'startIndex']
/** A chat whose own address ends as that of a stream does. */
const VIBELIFE = /\/api\/v1\/chat\/v5(?:\/guest)?\/stream$/

/** The address of a run’s stream, in a dialect. What its query says else is kept. */
export function withProtocol(url: string, protocol: string): string {
  const { path, query } = splitQuery(url)
  query.set('protocol', protocol)
  return `${path}?${query.toString()}`
}

/**
 * Where a run’s stream is, by the address that has answered with it: under the one that chats post to, where `useChat` itself looks for it,
 * or under `/v1/runs`, as for the chat stream. What the query says of how it is read (`client`, `showThinking` …) is kept.
 */
export function runStreamUrl(runId: string, respondedUrl: string): string {
  const { path, query } = splitQuery(respondedUrl)
  // Only AI SDK 4 names its chat there; later ones do it before the last word.
  const resumeSuffix = query.has('chatId') ? /\/stream$/ : /\/[^/]+\/stream$/
  const api = VIBELIFE.test(path) ? path : path.replace(resumeSuffix, '')
  const [, root] = /^(.*?)\/(?:v1\/(?:threads|runs)\/|api\/chat\/stream$)/.exec(path) ?? []
  for (const name of DROPPED_PARAMETERS) query.delete(name)
  const stream = root === undefined ? `${api}/${runId}/stream` : `${root}/v1/runs/${runId}/events`
  return `${stream}?${query.toString()}`
}

/** An address may be one of its page’s, without a host: `URL` does not take those. */
function splitQuery(url: string): { path: string; query: URLSearchParams } {
  const [path = '', search] = url.replace(/#.*/, '').split(/\?(.*)/s)
  return { path, query: new URLSearchParams(search) }
}

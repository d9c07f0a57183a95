import { version } from 'dragoman/server'
import { note, ok, problem, reasonOf, type Finding } from './finding.ts'
import { versionIn } from './check-port.ts'

const ANSWER_TIMEOUT_MS = 5000
const STREAM_TIMEOUT_MS = 15_000

export type RemoteServer = { readonly url: URL; readonly token: string | undefined }

/** Checks a server from outside, through the proxies in front of it. */
export async function checkRemoteServer(server: RemoteServer): Promise<Finding[]> {
  const health = await checkHealth(server)
  if (health.some(({ mark }) => mark === '✗')) return health
  const token = await checkToken(server).catch((error: unknown) => [
    problem(`Token: the server cannot check it: ${reasonOf(error)}.`),
  ])
  return [...health, ...token, ...(await checkStream(server))]
}

async function checkHealth(server: RemoteServer): Promise<Finding[]> {
  const begin = performance.now()
  try {
    const response = await request(server, '/health', ANSWER_TIMEOUT_MS)
    const answer = await response.text()
    const ms = Math.round(performance.now() - begin)
    const location = response.headers.get('location')
    if (location !== null && response.status < 400) {
      return [problem(`Server: ${server.url.origin} redirects to ${location}. Use that address.`)]
    }
    const body = parseJson(answer)
    const running = versionIn(body)
    if (running === undefined) return [problem(refusalOf(response.status, body))]
    const text = `Server: dragoman ${running} answers after ${ms} ms`
    return [running === version ? ok(`${text}.`) : note(`${text}; this is ${version}.`)]
  } catch (error) {
    return [problem(`Server: ${server.url.origin} cannot be reached: ${reasonOf(error)}.`)]
  }
}

function refusalOf(status: number, body: unknown): string {
  const { error, code } = (body ?? {}) as { error?: unknown; code?: unknown }
  if (typeof error !== 'string') return `Server: another program answers (status ${status}).`
  if (code === 'unauthorized') return `Token: the server rejects it: ${error}`
  return `Server: it rejects the request${code === 'forbidden' ? '' : ` with ${status}`}: ${error}`
}

async function checkToken(server: RemoteServer): Promise<Finding[]> {
  const findings: Finding[] = []
  if (server.token !== undefined && server.url.protocol === 'http:' && !isLoopback(server.url)) {
    findings.push(note('Token: it is sent unencrypted. Use https.'))
  }
  const response = await request(server, '/auth/verify', ANSWER_TIMEOUT_MS)
  const body = parseJson(await response.text()) as
    | { valid?: unknown; user?: unknown; reason?: unknown }
    | undefined
  if (response.status === 404) return [...findings, note('Token: this server has no tokens.')]
  if (body?.valid === true) {
    const user = String(body.user)
    if (server.token !== undefined) return [...findings, ok(`Token: it belongs to ${user}.`)]
    const text = `Token: not needed; every caller is ${user}.`
    return [
      isLoopback(server.url)
        ? ok(text)
        : problem(`${text} Set requireToken, because other machines can call.`),
    ]
  }
  if (server.token === undefined)
    return [note('Token: the server needs one. Pass it with --token or DRAGOMAN_TOKEN.')]
  const reason = typeof body?.reason === 'string' ? body.reason : `status ${response.status}`
  return [...findings, problem(`Token: the server rejects it: ${reason}`)]
}

/** When an event left, by the server's clock, and when it arrived, by ours. */
type Beat = { readonly sentAt: number; readonly arrivedAt: number }

async function checkStream(server: RemoteServer): Promise<Finding[]> {
  try {
    const response = await request(server, '/health/stream', STREAM_TIMEOUT_MS)
    if (response.status === 401) return [note('Stream: not checked without a valid token.')]
    const type = response.headers.get('content-type') ?? 'no content type'
    if (response.status !== 200 || !type.startsWith('text/event-stream')) {
      await response.body?.cancel()
      return [problem(`Stream: it has type ${type} and status ${response.status}.`)]
    }
    const beats = await readBeats(response)
    if (beats.length === 0) return [problem('Stream: it ended without an event.')]
    return checkPace(beats, response.headers.get('content-encoding'))
  } catch (error) {
    return [problem(`Stream: it broke: ${reasonOf(error)}.`)]
  }
}

async function readBeats(response: Response): Promise<Beat[]> {
  const beats: Beat[] = []
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    const arrivedAt = Date.now()
    text += decoder.decode(bytes, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const { at } = (parseJson(event.replace(/^data: /, '')) ?? {}) as { at?: unknown }
      if (typeof at === 'number') beats.push({ sentAt: at, arrivedAt })
    }
  }
  return beats
}

/** Events that left with pauses and arrived at once were buffered. */
function checkPace(beats: readonly Beat[], encoding: string | null): Finding[] {
  const spread = (times: number[]): number => Math.max(...times) - Math.min(...times)
  const sentMs = spread(beats.map(({ sentAt }) => sentAt))
  const arrivalMs = spread(beats.map(({ arrivedAt }) => arrivedAt))
  const compression =
    encoding === null
      ? []
      : [note(`Stream: a proxy compresses it (${encoding}). Exclude text/event-stream from compression.`)]
  if (arrivalMs * 2 >= sentMs)
    return [ok(`Stream: events arrive as they are sent, over ${arrivalMs} ms.`), ...compression]
  return [
    problem(
      `Stream: ${beats.length} events that were sent over ${sentMs} ms arrived within ${arrivalMs} ms. ` +
        'A proxy buffers the stream. nginx: proxy_buffering off; (or pass the header X-Accel-Buffering: no). ' +
        'Others: disable response buffering for text/event-stream.',
    ),
    ...compression,
  ]
}

function request({ url, token }: RemoteServer, path: string, timeoutMs: number): Promise<Response> {
  return fetch(new URL(url.pathname.replace(/\/$/, '') + path, url), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    // The token is not for another server.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
}

function isLoopback({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

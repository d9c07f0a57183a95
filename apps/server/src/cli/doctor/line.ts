import { version } from 'dragoman/server'
import { notable, reasonOf, well, wrong, type Finding } from './finding.ts'
import { versionIn } from './port.ts'

const ANSWER_MS = 5000
const STREAM_MS = 15_000
/** Clocks further apart than this make the times of messages misleading. */
const MOST_SKEW_MS = 5000

export type Line = { readonly url: URL; readonly token: string | undefined }

/** Looks at a server from outside, through whatever stands before it. */
export async function line(to: Line): Promise<Finding[]> {
  const health = await healthOf(to)
  if (health.some(({ mark }) => mark === '✗')) return health
  const token = await tokenOf(to).catch((error: unknown) => [
    wrong(`Token: it cannot be asked for: ${reasonOf(error)}.`),
  ])
  return [...health, ...token, ...(await streamOf(to))]
}

async function healthOf(to: Line): Promise<Finding[]> {
  const begun = performance.now()
  try {
    const response = await ask(to, '/health', ANSWER_MS)
    const text = await response.text()
    const ms = Math.round(performance.now() - begun)
    const moved = response.headers.get('location')
    if (moved !== null && response.status < 400) {
      return [wrong(`Server: ${to.url.origin} sends us on to ${moved}: give that address.`)]
    }
    const body = parsed(text)
    const theirs = versionIn(body)
    if (theirs === undefined) return [wrong(notOurs(response.status, body))]
    const told = `Server: dragoman ${theirs} answers after ${ms} ms`
    return [theirs === version ? well(`${told}.`) : notable(`${told}; this one is ${version}.`)]
  } catch (error) {
    return [wrong(`Server: ${to.url.origin} cannot be reached: ${reasonOf(error)}.`)]
  }
}

function notOurs(status: number, body: unknown): string {
  const { error, code } = (body ?? {}) as { error?: unknown; code?: unknown }
  if (typeof error !== 'string') return `Server: what answers (status ${status}) is no dragoman.`
  if (code === 'unauthorized') return `Token: it is refused: ${error}`
  return `Server: it refuses${code === 'forbidden' ? '' : ` with ${status}`}: ${error}`
}

async function tokenOf(to: Line): Promise<Finding[]> {
  const findings: Finding[] = []
  if (to.token !== undefined && to.url.protocol === 'http:' && !isLoopback(to.url)) {
    findings.push(notable('Token: it travels unencrypted. Put the server behind https.'))
  }
  const response = await ask(to, '/auth/verify', ANSWER_MS)
  const body = parsed(await response.text()) as
    | { valid?: unknown; user?: unknown; reason?: unknown }
    | undefined
  if (response.status === 404) return [...findings, notable('Token: this server knows none.')]
  if (body?.valid === true) {
    const user = String(body.user)
    if (to.token !== undefined) return [...findings, well(`Token: it is one of ${user}.`)]
    const told = `Token: none is needed; whoever calls is ${user}.`
    return [isLoopback(to.url) ? well(told) : wrong(`${told} Set requireToken, for others can call too.`)]
  }
  if (to.token === undefined)
    return [notable('Token: one is needed. Give it with --token or DRAGOMAN_TOKEN.')]
  const reason = typeof body?.reason === 'string' ? body.reason : `status ${response.status}`
  return [...findings, wrong(`Token: it is refused: ${reason}`)]
}

type Beat = { readonly sent: number; readonly came: number }

async function streamOf(to: Line): Promise<Finding[]> {
  try {
    const response = await ask(to, '/health/stream', STREAM_MS)
    if (response.status === 401) return [notable('Stream: without a good token it cannot be looked at.')]
    const kind = response.headers.get('content-type') ?? 'no content type'
    if (response.status !== 200 || !kind.startsWith('text/event-stream')) {
      await response.body?.cancel()
      return [wrong(`Stream: it comes as ${kind} with status ${response.status}.`)]
    }
    const beats = await beatsOf(response)
    const [first] = beats
    if (!first) return [wrong('Stream: it ends without an event.')]
    return [...pace(beats, response.headers.get('content-encoding')), skew(first)]
  } catch (error) {
    return [wrong(`Stream: it breaks off: ${reasonOf(error)}.`)]
  }
}

/** Each event, by the clock of the server and by ours. */
async function beatsOf(response: Response): Promise<Beat[]> {
  const beats: Beat[] = []
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    const came = Date.now()
    text += decoder.decode(bytes, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const { at } = (parsed(event.replace(/^data: /, '')) ?? {}) as { at?: unknown }
      if (typeof at === 'number') beats.push({ sent: at, came })
    }
  }
  return beats
}

/** What left with pauses and came at once was held back. */
function pace(beats: readonly Beat[], encoding: string | null): Finding[] {
  const over = (times: number[]): number => Math.max(...times) - Math.min(...times)
  const sent = over(beats.map((beat) => beat.sent))
  const came = over(beats.map((beat) => beat.came))
  const compressed =
    encoding === null
      ? []
      : [
          notable(
            `Stream: a proxy compresses it (${encoding}): leave text/event-stream out of its compression.`,
          ),
        ]
  if (came * 2 >= sent) return [well(`Stream: events come as they are sent, over ${came} ms.`), ...compressed]
  return [
    wrong(
      `Stream: ${beats.length} events that were sent over ${sent} ms came within ${came} ms. A proxy holds the stream back. ` +
        'nginx: proxy_buffering off; (or let the header X-Accel-Buffering: no through). Others: switch response buffering off for text/event-stream.',
    ),
    ...compressed,
  ]
}

function skew({ sent, came }: Beat): Finding {
  const ms = Math.abs(came - sent)
  if (ms <= MOST_SKEW_MS) return well('Clock: it goes as ours does.')
  return notable(
    `Clock: the server’s is ${Math.round(ms / 1000)} s ${sent > came ? 'before' : 'behind'} ours.`,
  )
}

function ask({ url, token }: Line, path: string, ms: number): Promise<Response> {
  return fetch(new URL(url.pathname.replace(/\/$/, '') + path, url), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    // A token is not for whoever we are sent on to.
    redirect: 'manual',
    signal: AbortSignal.timeout(ms),
  })
}

function isLoopback({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

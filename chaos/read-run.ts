import { setTimeout as pause } from 'node:timers/promises'

import { followRun, hasEnded } from './server-api.ts'
import { isCutOff, wireFormatOf, type Frame } from './wire-formats.ts'
import type { ReaderPlan } from './plan.ts'
import { REQUEST_TIMEOUT_MS, type RetryingNetwork } from './retrying-network.ts'

/** A server that cuts a body off says less than this at its end. */
const LAST_WORDS_LENGTH = 500

/** The frames of one reader, by visit. */
export type Reading = { readonly protocol: string; readonly visits: readonly Visit[] }

/** A visit: its cursor, its complete frames and its end. */
export type Visit = {
  readonly after: string | undefined
  readonly frames: readonly Frame[]
  /** `cut` by the reader; `lost` by the server or by silence; `closed` cleanly; `over`: nothing was left. */
  readonly end: 'cut' | 'lost' | 'closed' | 'over'
}

export type ReadOptions = {
  readonly plan: ReaderPlan
  readonly runId: string
  /** The response to the request that started the run. */
  readonly first?: Response | undefined
  readonly onFrame?: (frame: Frame) => void
}

/** Reads a run to its end over lost connections. */
export async function readRun(network: RetryingNetwork, watch: ReadOptions): Promise<Reading> {
  const { plan, runId, onFrame } = watch
  const { protocol } = plan
  const { cursors } = wireFormatOf(protocol)
  const visits: Visit[] = []
  let body = watch.first
  let after: string | undefined
  let isOver = false
  for (;;) {
    const cut = plan.cuts[visits.length]
    const response = body ?? (await network.ask((at) => followRun(at, runId, { protocol, after })))
    body = undefined
    const visit = await visitOf(response, {
      protocol,
      after,
      cutAt: cut?.bytes,
      signal: network.signal,
      onFrame,
    })
    visits.push(visit)
    if (cursors) after = visit.frames.findLast(({ cursor }) => cursor !== undefined)?.cursor ?? after
    if (visit.end === 'over') return { protocol, visits }
    // Without a cursor it cannot resume: it is done if the run had ended before the visit.
    if (visit.end === 'closed' && !cursors) {
      if (isOver) return { protocol, visits }
      isOver = await network.ask((at) => hasEnded(at, runId))
    }
    await pause(visit.end === 'cut' ? (cut?.awayMs ?? 0) : 5, undefined, { signal: network.signal })
  }
}

type VisitOptions = {
  readonly protocol: string
  readonly signal: AbortSignal
  readonly after?: string | undefined
  readonly cutAt?: number | undefined
  readonly onFrame?: ((frame: Frame) => void) | undefined
}

async function visitOf(response: Response, visiting: VisitOptions): Promise<Visit> {
  const { after, signal } = visiting
  if (response.status === 204 || !response.body) return { after, frames: [], end: 'over' }
  const reader = response.body.getReader()
  const leave = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', leave, { once: true })
  let isSilent = false
  const timer = setTimeout(() => {
    isSilent = true
    leave()
  }, REQUEST_TIMEOUT_MS)
  const frames: Frame[] = []
  const visitOptions = { ...visiting, onChunk: () => void timer.refresh() }
  try {
    const end = await readTo(frames, reader, visitOptions)
    return { after, end: isSilent ? 'lost' : end, frames }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}

/** Reads to the end or to the planned cut. */
async function readTo(
  frames: Frame[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { protocol, cutAt = Number.POSITIVE_INFINITY, onFrame, onChunk }: VisitOptions & { onChunk(): void },
): Promise<'cut' | 'lost' | 'closed'> {
  const { frames: framesOf } = wireFormatOf(protocol)
  let room = cutAt
  let rest = Buffer.alloc(0)
  let end = ''
  for (;;) {
    const next = await reader.read().catch(() => undefined)
    if (!next) return 'lost'
    if (next.done) return isCutOff(end) ? 'lost' : 'closed'
    onChunk()
    const piece = next.value.subarray(0, room)
    room -= piece.length
    end = (end + Buffer.from(piece).toString('latin1')).slice(-LAST_WORDS_LENGTH)
    rest = Buffer.concat([rest, piece])
    const complete = framesOf(rest)
    frames.push(...complete)
    for (const frame of complete) onFrame?.(frame)
    rest = rest.subarray(complete.at(-1)?.end ?? 0)
    if (room > 0) continue
    await reader.cancel().catch(() => undefined)
    return 'cut'
  }
}

/** The frames of an ended run, read in one visit. */
export async function wholeOf(
  network: RetryingNetwork,
  { runId, protocol }: { runId: string; protocol: string },
): Promise<readonly Frame[]> {
  for (;;) {
    const response = await network.ask((at) => followRun(at, runId, { protocol }))
    const visit = await visitOf(response, { protocol, signal: network.signal })
    if (visit.end === 'closed') return visit.frames
    network.signal.throwIfAborted()
  }
}

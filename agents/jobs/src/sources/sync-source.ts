import { setImmediate as rest } from 'node:timers/promises'

import { isServiceError, ServiceError, toFailure } from 'dragoman/errors'
import type { SafeFetch } from 'dragoman/safe-fetch'
import { boardFor, boardPosting, type BoardKind, type BoardPorts } from '../boards/boards.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import type { Postings } from '../postings/postings.ts'
import { openWords } from '../words/search-words.ts'
import type { SyncLocks } from './sync-locks.ts'
import type { Clock } from '../clock.ts'
import { passing } from './filter.ts'
import type { Batch, Finding } from './finding.ts'
import { retryAt } from './schedule.ts'
import type { Sightings } from './sightings.ts'
import type { Source } from './source.ts'
import type { Outcome } from './source-row.ts'

/** What the syncing of sources works with. */
export type SyncPorts = {
  readonly claims: SyncLocks
  readonly sightings: Sightings
  readonly postings: Postings
  readonly outward: SafeFetch
  readonly mailbox: Mailbox
  readonly clock: Clock
  readonly report: (error: unknown) => void
}

/**
 * How far a source has been read: of `total` postings that it names, `synced` are the user's, `new` of them since
 * now.
 */
export type Tally = {
  readonly total: number
  readonly synced: number
  readonly new: number
  /** Postings that are gone from the board. */
  readonly closed: number
}

export type Synced = { readonly source: Source; readonly tally: Tally; readonly error?: ServiceError }

const NOTHING: Tally = { total: 0, synced: 0, new: 0, closed: 0 }
/** What is new is told at once; of the rest, how far it has come, after each so many. */
const TELL_EVERY = 25
/** No source takes longer. */
const WITHIN_MS = 10 * 60_000
/** Longer than a sync can take: then whoever made the claim is no more. */
const CLAIM_MS = WITHIN_MS + 60_000

/** Syncs one source, and writes down what came of it. It throws only if `signal` aborts: what is kept by then stays. */
export async function syncSource(
  ports: SyncPorts,
  source: Source,
  tell: (tally: Tally) => void,
  signal: AbortSignal,
): Promise<Synced> {
  const { claims, clock } = ports
  const at = clock.now()
  const until = new Date(at.getTime() + CLAIM_MS)
  if (!(await claims.take(source, at, until))) {
    const error = new ServiceError('conflict', 'It is being synced already, or has just been changed.')
    return { source, tally: NOTHING, error }
  }
  let tally = NOTHING
  let outcome: Outcome | undefined
  try {
    const time = AbortSignal.timeout(WITHIN_MS)
    const progress = (news: Tally): void => tell((tally = news))
    try {
      await read(ports, source, progress, AbortSignal.any([signal, time]))
      outcome = { at }
      return { source, tally }
    } catch (cause) {
      signal.throwIfAborted()
      const error = foreseen(time.aborted ? tooLong(cause) : cause, ports.report)
      const { message, retryable } = toFailure(error)
      const failures = source.failures + 1
      outcome = { at, error: message, failures, retryAt: retryAt(failures, retryable, clock.now()) }
      return { source, tally, error }
    }
  } finally {
    await claims.release(source, until, outcome)
  }
}

function tooLong(cause: unknown): ServiceError {
  const minutes = WITHIN_MS / 60_000
  const words = `It took longer than ${minutes} minutes. What was read by then is kept.`
  return new ServiceError('timed-out', words, { cause })
}

function foreseen(error: unknown, report: (error: unknown) => void): ServiceError {
  if (isServiceError(error)) return error
  report(error)
  return new ServiceError('internal', toFailure(error).message, { cause: error })
}

async function read(
  ports: SyncPorts,
  source: Source,
  tell: (tally: Tally) => void,
  signal: AbortSignal,
): Promise<void> {
  const { claims, sightings, postings, clock } = ports
  const startedAt = clock.now()
  const passes = passing(await openWords(), source.settings.filter)
  const sightingsBefore = await sightings.known(source)
  const complete = completing({ outward: ports.outward, signal }, source)
  const again: string[] = []
  const tally = { ...NOTHING }
  const take = async (finding: Finding): Promise<void> => {
    signal.throwIfAborted()
    const { key, subject, sender } = finding
    tally.total += 1
    if (sightingsBefore.has(key)) {
      again.push(key)
      tally.synced += 1
    } else if (passes(finding.posting)) {
      const { job, created } = await postings.keep(source.userId, await complete(finding), startedAt)
      await sightings.note(source, { key, jobId: job.id, at: startedAt, subject, sender })
      sightingsBefore.add(key)
      // The database answers at once: without a rest nobody else would get a turn.
      await rest()
      tally.synced += 1
      if (created) {
        tally.new += 1
        tell({ ...tally })
        return
      }
    }
    if (tally.total % TELL_EVERY === 0) tell({ ...tally })
  }
  for await (const { findings, state } of batches(ports, source, { known: sightingsBefore, signal })) {
    for (const finding of findings) await take(finding)
    if (state !== undefined) await claims.advance(source, state)
  }
  await sightings.seenAgain(source, again, startedAt)
  // A mail names what is new; that the next one does not name it means nothing.
  const closed = source.settings.kind === 'mail' ? 0 : await sightings.closeUnseen(source, startedAt)
  tell({ ...tally, closed })
}

async function* batches(
  { outward, mailbox }: SyncPorts,
  { settings, secret, state }: Source,
  { known, signal }: { readonly known: ReadonlySet<string>; readonly signal: AbortSignal },
): AsyncIterable<Batch> {
  if (settings.kind === 'mail') {
    yield* mailbox.read({ account: settings, password: secret ?? '' }, state, signal)
    return
  }
  for await (const posting of boardFor(settings.kind).postings({ outward, signal }, settings.board, known)) {
    yield { findings: [{ key: posting.id, posting }] }
  }
}

/**
 * Gives a posting that its source only names its text, where a board tells it. What a board once failed to tell is
 * not asked again.
 */
function completing(
  ports: BoardPorts,
  { settings }: Source,
): (finding: Finding) => Promise<Finding['posting']> {
  const silent = new Set<BoardKind>()
  const brief = settings.kind === 'mail' || boardFor(settings.kind).isBrief
  return async ({ posting }) => {
    const at = brief ? boardPosting(posting.url) : undefined
    if (!at || silent.has(at.board.kind)) return posting
    try {
      const full = await at.board.posting(ports, at.slug, at.id)
      return { ...full, source: posting.source }
    } catch (error) {
      ports.signal.throwIfAborted()
      if (!isServiceError(error)) throw error
      if (error.code !== 'not-found') silent.add(at.board.kind)
      return posting
    }
  }
}

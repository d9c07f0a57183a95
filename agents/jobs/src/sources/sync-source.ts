import { nextTurn } from 'dragoman/async'
import { isServiceError, ServiceError, toFailure } from 'dragoman/errors'
import type { SafeFetch } from 'dragoman/safe-fetch'
import { boardFor, boardPosting, type BoardKind, type BoardPorts } from '../boards/boards.ts'
import type { Clock } from '../clock.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import type { Postings } from '../postings/postings.ts'
import { openWords } from '../words/search-words.ts'
import { createFilter } from './filter.ts'
import type { Batch, FoundPosting } from './found-posting.ts'
import { retryAt } from './schedule.ts'
import type { Sightings } from './sightings.ts'
import type { Source } from './source.ts'
import type { Outcome, Sources } from './sources.ts'

/** What a sync works with. */
export type SyncPorts = {
  readonly sources: Pick<Sources, 'lock' | 'advance' | 'unlock'>
  readonly sightings: Sightings
  readonly postings: Postings
  readonly outward: SafeFetch
  readonly mailbox: Mailbox
  readonly clock: Clock
  readonly report: (error: unknown) => void
}

/** Counts of a source's postings: all, the user's, the ones that this sync added, and the ones that it closed. */
export type Tally = {
  readonly total: number
  readonly synced: number
  readonly new: number
  readonly closed: number
}

export type SyncResult = { readonly source: Source; readonly tally: Tally; readonly error?: ServiceError }

const NOTHING: Tally = { total: 0, synced: 0, new: 0, closed: 0 }
/** Progress is told with each new posting, and after this many others. */
const TELL_EVERY = 25
const MAX_MINUTES = 10
/** Longer than a sync: when a lock ends, its process is gone. */
const LOCK_MS = (MAX_MINUTES + 1) * 60_000

/** Syncs one source, and stores the outcome. It throws only if `signal` aborts; what is stored by then stays. */
export async function syncSource(
  ports: SyncPorts,
  source: Source,
  tell: (tally: Tally) => void,
  signal: AbortSignal,
): Promise<SyncResult> {
  const { sources, clock } = ports
  const at = clock.now()
  const until = new Date(at.getTime() + LOCK_MS)
  if (!(await sources.lock(source, until))) {
    const error = new ServiceError('conflict', 'It is being synced already, or has just been changed.')
    return { source, tally: NOTHING, error }
  }
  let tally = NOTHING
  let outcome: Outcome | undefined
  const timeout = AbortSignal.timeout(MAX_MINUTES * 60_000)
  try {
    await readSource(ports, source, (news) => tell((tally = news)), AbortSignal.any([signal, timeout]))
    outcome = { at }
    return { source, tally }
  } catch (cause) {
    signal.throwIfAborted()
    const error = timeout.aborted ? tooSlow(cause) : toServiceError(cause, ports.report)
    const { message, retryable } = toFailure(error)
    const failures = source.failures + 1
    outcome = { at, error: message, failures, retryAt: retryAt(failures, retryable, clock.now()) }
    return { source, tally, error }
  } finally {
    await sources.unlock(source, until, outcome)
  }
}

function tooSlow(cause: unknown): ServiceError {
  const message = `It took longer than ${MAX_MINUTES} minutes. What was read by then is kept.`
  return new ServiceError('timed-out', message, { cause })
}

function toServiceError(error: unknown, report: (error: unknown) => void): ServiceError {
  if (isServiceError(error)) return error
  report(error)
  return new ServiceError('internal', toFailure(error).message, { cause: error })
}

async function readSource(
  ports: SyncPorts,
  source: Source,
  tell: (tally: Tally) => void,
  signal: AbortSignal,
): Promise<void> {
  const { sources, sightings, postings, clock } = ports
  const startedAt = clock.now()
  const passes = createFilter(await openWords(), source.settings.filter)
  const knownKeys = await sightings.known(source)
  const complete = createCompleter({ outward: ports.outward, userId: source.userId, signal }, source)
  const seenAgain: string[] = []
  const tally = { ...NOTHING }
  const store = async (finding: FoundPosting): Promise<void> => {
    const { key, subject, sender } = finding
    const { job, created } = await postings.keep(source.userId, await complete(finding), startedAt)
    await sightings.note(source, { key, jobId: job.id, at: startedAt, subject, sender })
    knownKeys.add(key)
    tally.synced += 1
    if (created) tally.new += 1
    if (created || tally.total % TELL_EVERY === 0) tell({ ...tally })
    // The database is synchronous: without this, nothing else would run.
    await nextTurn()
  }
  for await (const { findings, state } of batches(ports, source, { known: knownKeys, signal })) {
    for (const finding of findings) {
      signal.throwIfAborted()
      tally.total += 1
      if (knownKeys.has(finding.key)) {
        seenAgain.push(finding.key)
        tally.synced += 1
      } else if (passes(finding.posting)) {
        await store(finding)
        continue
      }
      if (tally.total % TELL_EVERY === 0) tell({ ...tally })
    }
    if (state !== undefined) await sources.advance(source, state)
  }
  await sightings.seenAgain(source, seenAgain, startedAt)
  // A mail names only new postings; that the next mail does not name one means nothing.
  const closed = source.settings.kind === 'mail' ? 0 : await sightings.closeUnseen(source, startedAt)
  tell({ ...tally, closed })
}

async function* batches(
  { outward, mailbox }: SyncPorts,
  { userId, settings, secret, state }: Source,
  { known, signal }: { readonly known: ReadonlySet<string>; readonly signal: AbortSignal },
): AsyncIterable<Batch> {
  if (settings.kind === 'mail') {
    yield* mailbox.read(userId, { account: settings, password: secret ?? '' }, state, signal)
    return
  }
  const postings = boardFor(settings.kind).postings({ outward, userId, signal }, settings.board, known)
  for await (const posting of postings) {
    yield { findings: [{ key: posting.id, posting }] }
  }
}

/**
 * Fetches the description of a posting that its source only names, if a board has it. A board that fails is not asked
 * again.
 */
function createCompleter(
  ports: BoardPorts,
  { settings }: Source,
): (finding: FoundPosting) => Promise<FoundPosting['posting']> {
  const failed = new Set<BoardKind>()
  const isBrief = settings.kind === 'mail' || boardFor(settings.kind).isBrief
  return async ({ posting }) => {
    const address = isBrief ? boardPosting(posting.url) : undefined
    if (!address || failed.has(address.board.kind)) return posting
    try {
      const full = await address.board.posting(ports, address.slug, address.id)
      return { ...full, source: posting.source }
    } catch (error) {
      ports.signal.throwIfAborted()
      if (!isServiceError(error)) throw error
      if (error.code !== 'not-found') failed.add(address.board.kind)
      return posting
    }
  }
}

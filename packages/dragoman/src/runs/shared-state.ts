import { ServiceError } from '../errors.ts'
import {
  canonicalJson,
  isLive,
  applyJsonPatch,
  applyJsonPatchIfValid,
  toJson,
  type Json,
  type NewRun,
  type Run,
  type RunEvent,
} from '../events/index.ts'
import { appendIf, ignoreClosed, type RunLog, type Store } from '../log/index.ts'
import { readStructure } from './run-snapshots.ts'

/** Characters of JSON that a state may have: each run's request has it whole, and a model reads it. */
const MAX_STATE_CHARACTERS = 64 * 1024
/** The same between the operations of one patch, about. */
const MAX_PATCH_CHARACTERS = 4 * MAX_STATE_CHARACTERS

type Change = Extract<RunEvent, { type: 'state.changed' }>

/** The state that agent and client share, after a run's changes. Null if the client shares nothing. */
export function stateOf({ request }: Pick<NewRun, 'request'>, events: readonly RunEvent[]): Json {
  return events.reduce<Json>(
    (state, event) => (event.type === 'state.changed' ? applyJsonPatchIfValid(state, event.patch) : state),
    request.state ?? null,
  )
}

/** The state as the tools of one run see it. */
export interface SharedState {
  /** A frozen copy: a tool that changes the object instead of the state fails. */
  current(): Json
  /** Makes a change; `write` returns whether the log still takes it. @throws ServiceError `invalid-input` */
  change(patch: Change['patch'], write: (event: Change) => boolean): Json
  /** Takes in the next change of the log, of any writer. */
  take(change: Change): void
}

/**
 * A change is in the log before its tool's outcome is. What a client sets counts from its place in the log, and the
 * changes that come after it there are made to it. `initial` is the state that the log had when the attempt began.
 */
export function sharedState(initial: Json): SharedState {
  let logged = initial
  /** Changes of the run's own that the log has yet to return. */
  const own: Change['patch'][] = []
  /** The logged state with them. There may be thousands, so they are not applied again with each. */
  let latest = initial
  return {
    current: () => freeze(structuredClone(latest)),
    change(operations, write) {
      const patch = storablePatch(operations)
      const next = changed(latest, patch)
      if (write({ type: 'state.changed', patch })) {
        own.push(patch)
        latest = next
      }
      return freeze(structuredClone(next))
    },
    take({ patch, by }) {
      logged = applyJsonPatchIfValid(logged, patch)
      const first = by === undefined ? own.shift() : undefined
      // The first of its own changes leads to the same latest state as before.
      if (first === undefined) latest = own.reduce(applyJsonPatchIfValid, logged)
    },
  }
}

function freeze(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(freeze)
  return Object.freeze(value)
}

/** A tool's patch may hold anything, and its objects stay the tool's. */
function storablePatch(patch: Change['patch']): Change['patch'] {
  try {
    return toJson(patch, { maxCharacters: MAX_PATCH_CHARACTERS }) as unknown as Change['patch']
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new ServiceError('invalid-input', `The patch is not JSON: ${error.message}.`)
  }
}

function changed(state: Json, patch: Change['patch']): Json {
  try {
    const next = applyJsonPatch(state, patch, (copied) => {
      if (charactersLeft(copied, MAX_PATCH_CHARACTERS) < 0) throw tooLarge()
    })
    if (isShort(next)) return next
  } catch (error) {
    if (error instanceof RangeError)
      throw new ServiceError('invalid-input', `The patch does not fit the state: ${error.message}.`)
    throw error
  }
  throw tooLarge()
}

function tooLarge(): ServiceError {
  return new ServiceError(
    'invalid-input',
    `The state would be larger than ${MAX_STATE_CHARACTERS / 1024} KB of JSON.`,
  )
}

/** How many of the allowed characters a value leaves. It stops counting once none is left. */
function charactersLeft(value: Json, room: number): number {
  if (typeof value !== 'object' || value === null) return room - String(value).length
  let rest = room
  for (const [key, held] of Object.entries(value)) {
    if (rest < 0) return rest
    rest = charactersLeft(held, rest - key.length - 1)
  }
  return rest - 1
}

function isShort(state: Json): boolean {
  return JSON.stringify(state).length <= MAX_STATE_CHARACTERS
}

/** Sets the state of a live run to its client's, unless the log has the same. A run that has ended keeps its own. */
export async function share(
  run: Run,
  { state, by }: { readonly state: Json; readonly by: string },
  { store, log }: { readonly store: Store; readonly log: RunLog },
): Promise<void> {
  if (!isShort(state))
    throw new ServiceError(
      'invalid-request',
      `state: must be at most ${MAX_STATE_CHARACTERS / 1024} KB of JSON`,
    )
  const setState = appendIf(log, run.id, async () => {
    const found = await readStructure(run.id, store)
    if (!found || !isLive(found.run)) return undefined
    const now = stateOf(run, found.events)
    // To its client nothing shared is an empty state.
    if (canonicalJson(now ?? {}) === canonicalJson(state ?? {})) return undefined
    const patch = [{ op: 'replace', path: '', value: state }] as const
    return { events: [{ type: 'state.changed', patch, by }], ifLast: found.run.lastSeq }
  })
  await setState.catch(ignoreClosed)
}

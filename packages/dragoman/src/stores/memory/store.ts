import { ServiceError } from '../../errors.ts'
import {
  isDetached,
  isLive,
  type LogEntry,
  type NewRun,
  type Run,
  type RunEvent,
  type RunSummary,
} from '../../events/index.ts'
import {
  claimedFor,
  claimedState,
  releasedState,
  isClaimable,
  isGone,
  newState,
  nextState,
  refusal,
  threadBusy,
  type Claimable,
  type AppendCondition,
  type Backlog,
  type ChangesOf,
  type ClaimableQuery,
  type Listing,
  type RunState,
  type Store,
} from '../../log/index.ts'
import { partOfThread } from '../rows/index.ts'
import { readLog } from './read-log.ts'
import { setClaimedState, toRun, type StoredRun } from './stored-run.ts'

type Memory = {
  readonly runs: Map<string, StoredRun>
  readonly keys: Map<string, string>
  readonly leases: Map<string, number>
  changes: number
}

/** Keeps runs for as long as the process lives. */
export function memoryStore(): Store {
  const memory: Memory = { runs: new Map(), keys: new Map(), leases: new Map(), changes: 0 }
  return {
    create: async (run, whenBusy, owner) => create(memory, run, { whenBusy, owner }),
    get: async (runId) => toRun(memory.runs.get(runId)),
    find: async (userId, key) => find(memory, userId, key),
    list: async (threadId, which) => list(memory, threadId, which),
    summaries: async (runIds) => runIds.flatMap((id) => toRun(memory.runs.get(id)) ?? []),
    claimable: async (owner, which) => claimable(memory, owner, which),
    claim: async (runId, owner) => claim(memory, runId, owner),
    claims: async (runId) => [...(memory.runs.get(runId)?.claims ?? [])],
    release: async (runId, epoch) => release(memory, runId, epoch),
    async alive(owner, forMs) {
      if (forMs > 0) memory.leases.set(owner, Date.now() + forMs)
      else memory.leases.delete(owner)
    },
    append: async (runId, events, as) => append(memory, runId, events, as),
    read: async (runId, after, what) => readLog(must(memory, runId), after, what),
    changed: async (...args) => changed(memory, ...args),
    ping: async () => undefined,
    // It is as small as it gets.
    pack: async () => false,
    prune: async (before, upTo) => prune(memory, before, upTo),
    backlog: async () => backlog(memory),
    discard: async (before) => discard(memory, before),
    adopt: async (from, to) => adopt(memory, from, to),
    remove: async (threadId) => remove(memory, ofThread(memory, threadId)),
    [Symbol.asyncDispose]: async () => memory.runs.clear(),
  }
}

function create(
  memory: Memory,
  run: NewRun,
  { whenBusy, owner }: { whenBusy: 'reject' | 'queue'; owner: string | undefined },
): { run: Run; created: boolean } {
  const { aliases = [], ...kept } = run
  const keys = [run.key ?? [], aliases].flat().map((key) => keyOf(run.userId, key))
  const existing = keys.map((key) => memory.keys.get(key)).find((id) => id !== undefined)
  if (existing !== undefined) return { run: toRun(must(memory, existing)), created: false }
  const live = ofThread(memory, run.threadId).find(({ state }) => isLive(state))
  if (live && whenBusy === 'reject') throw threadBusy(live.run)
  const state = newState(run.id, live ? 'queued' : 'running')
  memory.runs.set(run.id, {
    run: { ...kept, createdAt: Date.now() },
    state,
    log: [],
    claims: [],
    changed: 0,
    pruned: false,
  })
  for (const key of keys) memory.keys.set(key, run.id)
  const { messageId, input } = run.request
  append(memory, run.id, [{ type: 'run.started', agent: run.agent, messageId, input }])
  if (owner !== undefined && !live) claim(memory, run.id, owner)
  return { run: toRun(must(memory, run.id)), created: true }
}

function find({ keys, runs }: Memory, userId: string, key: string): Run | undefined {
  const runId = keys.get(keyOf(userId, key))
  if (runId !== undefined) return toRun(runs.get(runId))
  return toRun([...runs.values()].find(({ run }) => run.userId === userId && run.messageId === key))
}

function list(memory: Memory, threadId: string, { before, limit, live }: Listing): RunSummary[] {
  const runs = ofThread(memory, threadId).toReversed()
  const from = before === undefined ? 0 : runs.findIndex(({ run }) => run.id === before) + 1
  const found = runs.slice(from).filter(({ state }) => !live || isLive(state))
  return found.slice(0, limit).map((held) => toRun(held))
}

function claimable(
  memory: Memory,
  owner: string,
  { agents, place, limit = 100 }: ClaimableQuery = {},
): Claimable[] {
  return [...memory.runs.values()]
    .filter(({ state }) => state.owner !== owner && mayClaim(memory, state, owner))
    .filter(({ run }) => !agents || agents.includes(run.agent) || isDetached(run))
    .filter(({ run: { request } }) => place === undefined || (request.place ?? place) === place)
    .filter((held) => isClaimable(held.state, Date.now(), () => isNext(memory, held)))
    .slice(0, limit)
    .map(({ state }) => ({ id: state.runId, epoch: state.epoch }))
}

function claim(memory: Memory, runId: string, owner: string): number | undefined {
  const held = must(memory, runId)
  if (!isLive(held.state) || !mayClaim(memory, held.state, owner)) return undefined
  setClaimedState(held, claimedState(held.state, owner))
  held.changed = ++memory.changes
  return held.state.epoch
}

function release(memory: Memory, runId: string, epoch: number): void {
  const held = must(memory, runId)
  const next = releasedState(held.state, epoch)
  if (!next) return
  held.state = next
  held.changed = ++memory.changes
}

function append(
  memory: Memory,
  runId: string,
  events: readonly RunEvent[],
  as?: AppendCondition,
): LogEntry[] {
  const held = must(memory, runId)
  const refused = refusal(held.state, as)
  if (refused) throw refused
  const at = Math.max(Date.now(), held.log.at(-1)?.at ?? 0)
  held.changed = ++memory.changes
  const entries = events.map((event) => {
    held.state = nextState(held.state, event, () => held.log)
    if ((event.type === 'tool.answered' || event.type === 'user.joined') && event.key !== undefined)
      memory.keys.set(keyOf(held.run.userId, event.key), runId)
    const entry = { seq: held.state.lastSeq, at, event }
    held.log.push(entry)
    return entry
  })
  setClaimedState(held, claimedFor(held.state, as?.claimFor))
  return entries
}

function prune({ runs }: Memory, before: number, upTo = 'Infinity'): boolean {
  for (const held of runs.values()) {
    if (isLive(held.state) || held.changed > Number(upTo) || (held.log.at(-1)?.at ?? before) >= before)
      continue
    held.log = []
    held.pruned = true
  }
  return false
}

function backlog({ runs }: Memory): Backlog {
  const ends = [...runs.values()].flatMap(({ state, log }) => (isLive(state) ? [] : (log.at(-1)?.at ?? [])))
  return { unpacked: 0, ...(ends.length > 0 && { oldestAt: Math.min(...ends) }) }
}

function discard(memory: Memory, before: number): boolean {
  const ended = [...memory.runs.values()].filter(
    ({ run, state, log }) => isDetached(run) && !isLive(state) && (log.at(-1)?.at ?? 0) < before,
  )
  remove(memory, ended)
  return false
}

function adopt({ runs, keys }: Memory, from: string, to: string): void {
  const all = [...runs.values()].filter(({ run }) => run.userId === from)
  const live = all.find(({ state }) => isLive(state))
  if (live) throw threadBusy(live.run)
  for (const held of all) held.run = { ...held.run, userId: to }
  for (const [kept, runId] of keys) {
    const [userId, key] = JSON.parse(kept) as [string, string]
    if (userId !== from) continue
    keys.delete(kept)
    if (!keys.has(keyOf(to, key))) keys.set(keyOf(to, key), runId)
  }
}

function remove({ runs, keys }: Memory, removed: readonly StoredRun[]): void {
  for (const { run } of removed) runs.delete(run.id)
  for (const [key, runId] of keys) if (!runs.has(runId)) keys.delete(key)
}

type Changes = Awaited<ReturnType<Store['changed']>>

function changed({ runs }: Memory, ...[after = '0', limit, which]: Parameters<Store['changed']>): Changes {
  const news = [...runs.values()]
    .filter((held) => held.changed > Number(after))
    .toSorted((a, b) => a.changed - b.changed)
  const found = news.filter(({ run }) => isOf(run, which)).slice(0, limit)
  const last = which && 'parts' in which && found.length < limit ? news.at(-1) : found.at(-1)
  return { runs: found.map((held) => toRun(held)), cursor: String(last?.changed ?? after) }
}

function isOf({ userId, threadId }: NewRun, which: ChangesOf | undefined): boolean {
  if (!which) return true
  return 'userId' in which ? which.userId === userId : which.parts.includes(partOfThread(threadId, which.of))
}

function must({ runs }: Memory, runId: string): StoredRun {
  const found = runs.get(runId)
  if (!found) throw new ServiceError('not-found', `There is no run ${runId}.`)
  return found
}

function mayClaim({ leases }: Memory, { owner: before }: RunState, owner: string): boolean {
  return before === undefined || before === owner || isGone(before, leases.get(before) ?? 0, Date.now())
}

function ofThread({ runs }: Memory, threadId: string): StoredRun[] {
  return [...runs.values()].filter(({ run }) => run.threadId === threadId)
}

/** First in a free thread's queue. */
function isNext(memory: Memory, { run }: StoredRun): boolean {
  const states = ofThread(memory, run.threadId).map(({ state }) => state)
  const free = !states.some(({ status }) => status === 'running' || status === 'waiting')
  return free && states.find(({ status }) => status === 'queued')?.runId === run.id
}

function keyOf(userId: string, key: string): string {
  return JSON.stringify([userId, key])
}

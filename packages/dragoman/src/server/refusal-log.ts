import type { ServiceError } from '../errors.ts'
import { pause } from '../log/index.ts'
import type { ProcessLog } from '../observability/index.ts'

/** At most one line for each user and kind in this time. */
const INTERVAL_MS = 60_000
const CHECK_INTERVAL_MS = 5000
/** Further users have one line together: many can be made up. */
const MAX_LINES = 200

/** What the operator calls a refusal, by its code. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['quota-exceeded', 'quota'],
  ['rate-limited', 'rate-limit'],
  ['overloaded', 'overload'],
  ['storage-full', 'storage'],
])

export type Refused = {
  readonly error: Pick<ServiceError, 'code' | 'message'>
  readonly userId: string | undefined
  readonly route: string | undefined
}

/** Says which users the server refuses something, and how often, in few lines. */
export interface RefusalLog {
  /** Gives the kind of a refusal. Undefined for other errors. */
  note(refused: Refused): string | undefined
  /** Writes what is still to be said, until the signal aborts. */
  keepUp(signal: AbortSignal): Promise<void>
}

type Pending = { saidAt: number; count: number; last: Refused; readonly isOthers: boolean }

export function createRefusalLog(
  lines: Pick<ProcessLog, 'alert' | 'userField' | 'node'>,
  now: () => number = () => performance.now(),
): RefusalLog {
  const pending = new Map<string, Pending>()
  const say = (kind: string, of: Pending): void => {
    const { error, userId, route } = of.last
    const who = of.isOthers ? { others: true } : lines.userField(userId)
    const what = { kind, reason: error.message, route, count: of.count }
    lines.alert({ ...who, ...what, node: lines.node }, 'request refused')
    of.saidAt = now()
    of.count = 0
  }
  const flush = (): void => {
    for (const [key, each] of pending) {
      if (now() - each.saidAt < INTERVAL_MS) continue
      if (each.count > 0) say(kindOf(key), each)
      else pending.delete(key)
    }
  }
  return {
    note(last) {
      const kind = KINDS.get(last.error.code)
      if (kind === undefined) return undefined
      flush()
      const own = `${kind} ${last.userId ?? ''}`
      const isOthers = !pending.has(own) && pending.size >= MAX_LINES
      const key = isOthers ? `${kind} *` : own
      const found = pending.get(key)
      const entry = found ?? { saidAt: 0, count: 0, last, isOthers }
      entry.count += 1
      entry.last = last
      pending.set(key, entry)
      if (!found) say(kind, entry)
      return kind
    },
    async keepUp(signal) {
      for (; !signal.aborted; await pause(CHECK_INTERVAL_MS, signal)) flush()
    },
  }
}

function kindOf(key: string): string {
  return key.slice(0, key.indexOf(' '))
}

import { performance } from 'node:perf_hooks'

import { userOfWork } from './work-for.ts'

/** A step over fewer bytes takes a few ms. */
const LARGE_BYTES = 256 * 1024
/** How busy the event loop is without steps is measured over so many ms at least. */
const WINDOW_MS = 50
/** The loop never counts as busier than this: steps go on, for a tenth of the time. */
const MAX_OTHERS = 0.9
/** A user's next step begins at most so many ms after the one before. */
const MAX_REST_MS = 200

/** `readyAt`: before this time, no step of the user begins. */
type Steps = { readonly begins: (() => void)[]; readyAt: number }

/** By user, in the order of their turns. */
const users = new Map<string, Steps>()
let isScheduled = false
let current: Steps | undefined
let startedAt = 0
const load = { since: performance.eventLoopUtilization(), stepMs: 0, others: 0 }

/**
 * Gives the event loop a turn between two steps of work on so many bytes, if they are many: to read, to parse, to write
 * and to encode 16 MB takes some 30 ms each.
 */
export async function turnBetween(bytes: number): Promise<void> {
  if (bytes >= LARGE_BYTES) await nextTurn()
}

/**
 * Waits for a turn of the event loop in which no other work that waits here goes on: each is about to take long. Users
 * have turns. The busier the loop is with what does not wait here, the longer a user rests after each step.
 */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const user = userOfWork()
  const steps = users.get(user) ?? { begins: [], readyAt: 0 }
  users.set(user, steps)
  steps.begins.push(resolve)
  if (!isScheduled) schedule()
  return promise
}

function schedule(): void {
  isScheduled = true
  setImmediate(beginNext)
  // Runs after the first one and its promises, and before anything else.
  setImmediate(endStep)
}

function beginNext(): void {
  startedAt = performance.now()
  for (const [user, steps] of users) {
    if (steps.readyAt > startedAt) continue
    users.delete(user)
    const begin = steps.begins.shift()
    if (!begin) continue
    users.set(user, steps)
    current = steps
    return begin()
  }
}

function endStep(): void {
  const now = performance.now()
  if (current) current.readyAt = now + restAfter(now - startedAt)
  current = undefined
  isScheduled = false
  const ready = [...users.values()].flatMap(({ begins, readyAt }) => (begins.length > 0 ? [readyAt] : []))
  if (ready.length === 0) return
  const pauseMs = Math.min(...ready) - now
  if (pauseMs < 1) return schedule()
  isScheduled = true
  setTimeout(schedule, pauseMs)
}

/** The ms that the user of a step leaves to others after it. */
function restAfter(ms: number): number {
  load.stepMs += ms
  const { active, idle } = performance.eventLoopUtilization(load.since)
  if (active + idle >= WINDOW_MS) {
    const others = (active - load.stepMs) / Math.max(1, active + idle - load.stepMs)
    Object.assign(load, { since: performance.eventLoopUtilization(), stepMs: 0 })
    load.others = Math.min(MAX_OTHERS, Math.max(0, others))
  }
  return Math.min(MAX_REST_MS, (ms * load.others) / (1 - load.others))
}

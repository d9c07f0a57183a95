import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import type { LogEntry, RunEvent } from '../events/index.ts'
import { runLog, type Store } from '../log/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { request, harnesses, step, type RunsHarness } from './harness.fixture.ts'

const FAULTS = {
  unavailable: () => new ServiceError('unavailable', 'The database cannot be used right now.'),
  internal: () => new ServiceError('internal', 'This cannot be stored.'),
  unforeseen: () => new TypeError('The store has a bug.'),
}
type Fault = keyof typeof FAULTS

/**
 * A real store of which one call fails: the one with this number. `repair` ends the fault and returns how many calls
 * were made.
 */
function faulty(store: Store, failAt: number, fault: Fault) {
  let calls = 0
  const handler: ProxyHandler<Store> = {
    get(target, name, receiver) {
      const own: unknown = Reflect.get(target, name, receiver)
      if (typeof own !== 'function') return own
      return (...given: unknown[]) => {
        calls += 1
        return calls === failAt ? Promise.reject(FAULTS[fault]()) : Reflect.apply(own, target, given)
      }
    },
  }
  const repair = (): number => {
    const made = calls
    calls = Number.NaN
    return made
  }
  return { store: new Proxy(store, handler), repair }
}

/** Tries again what a failing store has refused, as a client does. */
async function persistently<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act()
    } catch (error) {
      if (tries === 5) throw error
    }
  }
}

describe('a store that fails at one call', () => {
  const harness = harnesses()
  const rejections: unknown[] = []
  const note = (reason: unknown): void => void rejections.push(reason)
  beforeAll(() => void process.on('unhandledRejection', note))
  afterAll(() => void process.off('unhandledRejection', note))

  /** One run with a tool, a question and an answer, and the next message of its thread. */
  const conversation = async (failAt: number, fault: Fault) => {
    const real = memoryStore()
    const notifier = memoryNotifier()
    const { store, repair } = faulty(real, failAt, fault)
    const log = runLog(real, notifier)
    let paid = 0
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ n: z.number() }),
      needsApproval: true,
      execute: async () => toolResult({ output: (paid += 1), text: 'Paid.' }),
    })
    const here = await harness(speakAndPay, { store, notifier, tools: [pay], toolsFor })
    const events = async (runId: string, until: RunEvent['type'][]): Promise<LogEntry[]> => {
      const found: LogEntry[] = []
      for await (const entries of log.follow(runId, 0, AbortSignal.timeout(15_000))) {
        found.push(...entries)
        if (entries.some(({ event }) => until.includes(event.type))) return found
      }
      return found
    }
    const first = await say(here, 'first', 'pay')
    await answerWhenAsked(here, first, await events(first, ['tool.asked', 'run.failed']))
    const ended = [await events(first, []), await events(await say(here, 'second', 'hello'), [])]
    const calls = repair()
    const next = await events(await say(here, 'next', 'hello'), [])
    return { calls, paid, ends: ended.map(lastType), next: lastType(next) }
  }

  it.each(Object.keys(FAULTS) as Fault[])(
    'ends or continues the run, and frees its thread: %s',
    { timeout: 60_000 },
    async (fault) => {
      const whole = await conversation(0, fault)
      expect(whole).toMatchObject({ paid: 1, ends: ['run.finished', 'run.finished'], next: 'run.finished' })
      // The steady look makes calls of its own: a few more than the run makes.
      const numbers = Array.from({ length: whole.calls + 5 }, (_, index) => index + 1)

      const outcomes = await Promise.all(numbers.map((failAt) => conversation(failAt, fault)))

      for (const { paid, ends, next } of outcomes) {
        expect(paid).toBeLessThanOrEqual(1)
        for (const end of ends) expect(end).toMatch(/^run\.(finished|failed)$/)
        expect(next).toBe('run.finished')
      }
      await new Promise((resolve) => setImmediate(resolve))
      expect(rejections).toEqual([])
    },
  )
})

function lastType(entries: readonly LogEntry[]): RunEvent['type'] | undefined {
  return entries.at(-1)?.event.type
}

/** Takes a moment, so that the run is read meanwhile. */
const toolsFor = async () => {
  await new Promise((resolve) => setImmediate(resolve))
  return { tools: [], notes: [] }
}

/** Speaks, calls `pay` where the user wants it and it has not been called, and ends. */
const speakAndPay: Parameters<ReturnType<typeof harnesses>>[0] = async (job, host) => {
  const wants = JSON.stringify(job.history.at(-1)).includes('"pay"')
  const called = job.partialAnswer?.parts.some((part) => part.type === 'tool') ?? false
  await host.emit(step.started)
  await host.emit({ type: 'text.started', partId: 't' })
  await host.emit({ type: 'text.delta', partId: 't', delta: 'I see.' })
  await host.emit({ type: 'text.ended', partId: 't' })
  if (!wants || called) return host.emit(step.finished)
  await host.emit({ type: 'tool.called', callId: 'c', tool: 'pay', input: { n: 1 } })
  const outcome = host.call({ callId: 'c', tool: 'pay', input: { value: { n: 1 } } })
  await Promise.all([outcome, host.emit({ ...step.finished, reason: 'tool-calls' })])
}

async function say({ runs }: RunsHarness, key: string, words: string): Promise<string> {
  const message = { parts: [{ type: 'text', text: words }] } as const
  const { run } = await persistently(() => runs.start({ ...request, thread: 'talk', key, message }))
  return run.id
}

async function answerWhenAsked(
  { runs }: RunsHarness,
  runId: string,
  entries: readonly LogEntry[],
): Promise<void> {
  const question = entries.findLast(({ event }) => event.type === 'tool.asked')?.event
  if (question?.type !== 'tool.asked') return
  const answer = { callId: question.callId, answer: { kind: 'approval', approved: true } } as const
  await persistently(async () => runs.answer(await runs.get('ada', runId), answer, 'ada')).catch(
    () => undefined,
  )
}

import { assert, asyncProperty } from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { AgentEngine } from '../packages/dragoman/src/agents/index.ts'
import { defaultEngine } from '../packages/dragoman/src/engine/index.ts'
import { piEngine } from '../packages/pi/src/index.ts'
import type { Models, RunEvent } from '../packages/dragoman/src/index.ts'
import { request, harnesses } from '../packages/dragoman/src/runs/harness.fixture.ts'
import { gate } from './support/gate.ts'
import { gated, scripts } from './support/random-scripts.ts'
import { scriptedModel, type Script } from './support/scripted-model.ts'
import { stories } from './support/stories.ts'
import { STORY_STEPS, storyTools } from './support/story-tools.ts'

const open = harnesses()

/** Plays scripts to an engine, each in a run over a real store. */
async function stage(create: (models: Models) => AgentEngine) {
  const model = scriptedModel()
  const engine = create(model.models)
  const { runs, ended } = await open((job, host) => engine.run(job, host), {
    tools: storyTools,
    maxSteps: STORY_STEPS,
  })
  /** What the log tells in the end, and what the model was asked for. The run is stopped once `reached` resolves. */
  return async (script: Script, reached?: Promise<void>) => {
    model.play(script)
    const { run } = await runs.start(request)
    const end = ended(run.id)
    if (reached) {
      await Promise.race([reached, end])
      await runs.stop(run, 'ada')
    }
    const log = JSON.parse(JSON.stringify(await end).replaceAll(run.id, 'run')) as RunEvent[]
    return { log, prompts: [...model.prompts] }
  }
}

const both = async () => Promise.all([stage(piEngine().create), stage(defaultEngine)])

describe('both engines', () => {
  it.each(Object.entries(stories))('write the same log of %s', async (_name, { script }) => {
    const [pi, ours] = await both()

    expectSame(await pi(script), await ours(script))
  })

  it('write the same log and send the same prompts for any script', async () => {
    const [pi, ours] = await both()

    await assert(
      asyncProperty(scripts, async (script) => expectSame(await pi(script), await ours(script))),
      { numRuns: 100 },
    )
  })

  it('write the output before a stop and make no further model call', async () => {
    const engines = await both()

    await assert(
      asyncProperty(gated, async ({ script, heldAt }) => {
        for (const play of engines) {
          const whole = await play(script)
          const held = gate()
          const stopped = await play(heldAt(held), held.reached)

          expectClosed(stopped.log)
          expectBeginning(stopped.log, whole.log)
          expect(whole.prompts.slice(0, stopped.prompts.length)).toEqual(stopped.prompts)
        }
      }),
      { numRuns: 40 },
    )
  })
})

type Played = Awaited<ReturnType<Awaited<ReturnType<typeof stage>>>>
type CallEvent = Extract<RunEvent, { callId: string }>

function expectSame(a: Played, b: Played): void {
  expect(comparableOf(a.log)).toEqual(comparableOf(b.log))
  expect(a.prompts).toEqual(b.prompts)
}

/**
 * A log in a form that does not depend on timing: adjacent deltas are merged, and the outcomes of a step's calls come
 * at the end of the step, call by call. An interrupted step has no outcomes: pi runs only the calls of whole answers.
 */
function comparableOf(log: readonly RunEvent[]): RunEvent[] {
  let outcomes: CallEvent[] = []
  const comparable: RunEvent[] = []
  for (const event of log.slice(1)) {
    if (isOutcome(event)) {
      outcomes.push(event)
      continue
    }
    if (event.type === 'step.finished' || event.type.startsWith('run.')) {
      if (!('reason' in event) || event.reason !== 'interrupted')
        comparable.push(...outcomes.toSorted((a, b) => a.callId.localeCompare(b.callId)))
      outcomes = []
    }
    comparable.push(event)
  }
  return mergeDeltas(comparable)
}

function isOutcome(event: RunEvent): event is CallEvent {
  return 'callId' in event && !['tool.started', 'tool.delta', 'tool.called'].includes(event.type)
}

function mergeDeltas(events: readonly RunEvent[]): RunEvent[] {
  const merged: RunEvent[] = []
  for (const event of events) {
    const last = merged.at(-1)
    if (last && 'delta' in last && 'delta' in event && last.type === event.type) {
      merged[merged.length - 1] = { ...event, delta: `${last.delta}${event.delta}` } as RunEvent
    } else merged.push(event)
  }
  return merged
}

/** What a stopped log has from its engine is how the whole one begins. */
function expectBeginning(stopped: readonly RunEvent[], whole: readonly RunEvent[]): void {
  const stopIndex = stopped.findIndex(({ type }) => type === 'run.stop-requested')
  const merged = mergeDeltas(
    stopped.slice(1, stopIndex < 0 ? undefined : stopIndex).filter((event) => !isOutcome(event)),
  )
  const beginning = mergeDeltas(whole.slice(1).filter((event) => !isOutcome(event))).slice(0, merged.length)
  const [last, same] = [merged.pop(), beginning.pop()]

  expect(merged).toEqual(beginning)
  if (last && 'delta' in last && same && 'delta' in same) {
    expect({ ...same, delta: same.delta?.slice(0, last.delta?.length) }).toEqual(last)
  } else expect(last).toEqual(same)
}

/** Nothing is open, and it ends once. */
function expectClosed(log: readonly RunEvent[]): void {
  const ids = (...types: RunEvent['type'][]) =>
    log
      .filter(({ type }) => types.includes(type))
      .map((event) => ('partId' in event ? event.partId : 'callId' in event ? event.callId : event.type))
  const callIds = new Set(ids('tool.started', 'tool.called'))

  expect(ids('text.ended', 'reasoning.ended')).toEqual(ids('text.started', 'reasoning.started'))
  expect(new Set(ids('tool.returned', 'tool.failed'))).toEqual(callIds)
  expect(ids('tool.returned', 'tool.failed')).toHaveLength(callIds.size)
  expect(ids('step.finished')).toHaveLength(ids('step.started').length)
  expect(ids('run.finished', 'run.cancelled')).toEqual([log.at(-1)?.type])
}

import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { RunEvent, ClientTurn } from '../events/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { finished, createTestConversation, type TestConversation } from './conversation.fixture.ts'

const usage = { inputTokens: 1, outputTokens: 1 }
const stepText = (run: number, step: number): string => `Step ${step}\nof ${run}.`

/** One step that says something and calls a tool, and one that says the rest. */
function eventsOf(run: number): RunEvent[] {
  const callId = `run_${run}.c`
  const says = (step: number): RunEvent[] => [
    { type: 'step.started', model: 'm' },
    { type: 'text.started', partId: `run_${run}.${step}` },
    { type: 'text.delta', partId: `run_${run}.${step}`, delta: stepText(run, step) },
    { type: 'text.ended', partId: `run_${run}.${step}` },
  ]
  const whole = (reason: 'tool-calls' | 'stop'): RunEvent => ({ type: 'step.finished', reason, usage })
  return [
    ...says(1),
    { type: 'tool.called', callId, tool: 'look', input: {} },
    { type: 'tool.executing', callId },
    { type: 'tool.returned', callId, output: null, text: 'Seen.' },
    whole('tool-calls'),
    ...says(2),
    whole('stop'),
    finished,
  ]
}

type AssistantText = Omit<ClientTurn, 'role'>
type Way = (run: number) => AssistantText[]
const ways: Readonly<Record<string, Way>> = {
  'by our ids': (run) => [1, 2].map((step) => ({ id: `msg_run_${run}`, text: stepText(run, step) })),
  'by ids of its own, step by step': (run) =>
    [1, 2].map((step) => ({ id: `own-${run}-${step}`, text: stepText(run, step) })),
  'by an id of its own, as one': (run) => [
    { id: `own-${run}`, text: `${stepText(run, 1)}\n\n${stepText(run, 2)}` },
  ],
  'in part by ours': (run) => [
    { id: `msg_run_${run}`, text: stepText(run, 1) },
    { id: `own-${run}`, text: stepText(run, 2) },
  ],
  'by its last words': (run) => [{ id: `own-${run}`, text: stepText(run, 2) }],
  'without ids': (run) => [{ text: `${stepText(run, 1)} ${stepText(run, 2)}` }],
  'cut short': (run) => [{ id: `own-${run}`, text: stepText(run, 1).slice(0, 4) }],
  'by calls that say nothing': (run) => [
    { id: `own-${run}-1`, text: '' },
    { id: `own-${run}-2`, text: stepText(run, 2) },
  ],
}

const assistant = (turn: AssistantText): ClientTurn => ({ role: 'assistant', ...turn })

describe('an answer that a client retells', () => {
  let here: TestConversation
  beforeAll(async () => {
    here = await createTestConversation()
    for (const run of [1, 2, 3]) {
      const { request } = newRun(`run_${run}`)
      const input = [{ type: 'text', text: 'And now?' }] as const
      const latest = (await here.history.path(here.thread.id, { limit: 1 })).at(-1)
      const parent = latest ? { parentId: latest.row.id } : {}
      const userTurn = { ...parent, request: { ...request, input, clientId: `u${run}` } }
      await here.startRun('And now?', eventsOf(run), userTurn)
    }
  })
  afterAll(() => here.db.destroy())
  const place = (turns: readonly ClientTurn[]) => here.history.place(here.thread.id, turns)
  const userTurn = (run: number): ClientTurn => ({ role: 'user', id: `u${run}`, text: 'And now?' })
  const answered = (run: number, way: Way): ClientTurn[] => way(run).map((turns) => assistant(turns))

  it.each(Object.entries(ways))('%s is known for it', async (_name, way) => {
    expect(await place([userTurn(2), ...answered(2, way)])).toEqual({ parentId: 'msg_run_2', unknown: [] })
  })

  it('is known wherever it is the last of others, however each is told', async () => {
    const turns = fc.array(fc.constantFrom(...Object.values(ways)), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(turns, async (each) => {
        const history = each.flatMap((way, index) => [userTurn(index + 1), ...answered(index + 1, way)])
        expect(await place(history)).toEqual({ parentId: `msg_run_${each.length}`, unknown: [] })
      }),
      { numRuns: 40 },
    )
  })

  it('is known at the end of the conversation without its question', async () => {
    for (const name of ['by ids of its own, step by step', 'by its last words', 'without ids'])
      expect(await place(answered(3, ways[name] ?? (() => [])))).toEqual({
        parentId: 'msg_run_3',
        unknown: [],
      })
  })

  it('is not taken for what another has said', async () => {
    const other: ClientTurn = { role: 'assistant', id: 'own', text: 'Said elsewhere.' }

    expect(await place([userTurn(2), other])).toEqual({ parentId: 'msg_u_run_2', unknown: [other] })
    expect(await place([userTurn(2), ...answered(2, (run) => [{ text: stepText(run, 2) }]), other])).toEqual({
      parentId: 'msg_run_2',
      unknown: [other],
    })
    expect(await place([other])).toEqual({ unknown: [other] })
  })

  it('is the one of several whose words are told, or else the latest', async () => {
    const { request } = newRun('run_4')
    const again = { ...request, messageId: 'msg_u_run_1', clientId: 'u1' }
    await here.startRun('And now?', eventsOf(4), { request: again })
    const turns = (text: string) => place([userTurn(1), { role: 'assistant', id: 'own', text }])

    expect(await turns(stepText(4, 2))).toMatchObject({ parentId: 'msg_run_4' })
    expect(await turns(stepText(1, 2))).toMatchObject({ parentId: 'msg_run_1' })
    expect(await turns('Step')).toMatchObject({ parentId: 'msg_run_4' })
  })
})

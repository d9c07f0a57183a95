import { describe, expect, it } from 'vitest'

import { framesOf } from '../support/event-stream.ts'
import { client } from '../support/http.ts'
import { calls, says, scriptedModel, step, thinks } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { weather } from '../support/story-tools.ts'
import {
  generations,
  give,
  openCalls,
  run,
  textOf,
  typesOf,
  type Agent,
  type AgUiRun,
  type Event,
} from './ag-ui-agent.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'
import { createApplyTool } from './questions.ts'

const scripted = scriptedModel()
const { apply } = createApplyTool()
const server = useServer({ models: scripted.models, tools: [weather, apply] })
expectNoWarnings()

const paint = { name: 'paint', description: 'Paints the page.', parameters: { type: 'object' } }
const burn = { ...paint, name: 'burn', metadata: { confirmationRequired: true } }
const approve = { status: 'resolved', payload: { approved: true } } as const
const LAST = ['STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']

const snapshotOf = (events: readonly Event[]): AgUiRun[] =>
  events.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT')?.['messages'] as AgUiRun[]
const bare = ({ id, role, content = '', toolCalls = [], toolCallId }: AgUiRun) => ({
  id,
  role,
  content,
  toolCallId,
  calls: toolCalls.map(({ id: callId, function: { name, arguments: input } }) => [callId, name, input]),
})
/** Takes the snapshot out, as a client would that does not know the event. */
const withoutSnapshot = (events: readonly Event[]) =>
  events.filter(({ type }) => type !== 'MESSAGES_SNAPSHOT')
/** Says something, and gives what the client had just before the last snapshot, too. */
async function runVisibly(
  agent: Agent,
  text: string | undefined,
  parameters: object = {},
): Promise<{ events: Event[]; visible: readonly AgUiRun[] }> {
  const events: Event[] = []
  let visible: readonly AgUiRun[] = []
  const onEvent = ({ event, messages }: { event: Event; messages: readonly AgUiRun[] }): void => {
    events.push(event)
    if (event.type === 'MESSAGES_SNAPSHOT') visible = structuredClone(messages)
  }
  if (text !== undefined) agent.messages.push({ id: crypto.randomUUID(), role: 'user', content: text })
  await agent.runAgent(parameters, { onEvent })
  return { events, visible }
}
const answerOf = (agent: Agent) => [{ interruptId: agent.pendingInterrupts[0]?.id ?? '', ...approve }]

let threads = 0
describe.each(generations)('the messages before an interrupt, for the AG-UI client $version', ({ open }) => {
  const begin = () => open(`${server.url}/ag-ui/jobs`, `snapshot-${++threads}`)

  it('are those that the client has, in their order', async () => {
    scripted.play([
      step(says('Hello.')),
      step(thinks('Oslo.'), says('I look.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('And apply.'), calls('c2', 'apply', { job: 3 })),
      step(says('So be it.')),
    ])
    const agent = begin()
    await run(agent, 'Hi')
    const { events, visible } = await runVisibly(agent, 'Apply')

    expect(typesOf(events).slice(-3)).toEqual(LAST)
    expect(snapshotOf(events).map(bare)).toEqual(visible.map(bare))
    expect(agent.messages.map(bare)).toEqual(visible.map(bare))
    expect(textOf(agent)).toBe('Hello.|I look.|And apply.')
    expect(agent.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'reasoning',
      'assistant',
      'tool',
      'assistant',
    ])
    await run(agent, undefined, { resume: answerOf(agent) })
    expect(textOf(agent)).toBe('Hello.|I look.|And apply.|So be it.')
  })

  it('keep the ids of the client’s results and of its message', async () => {
    scripted.play([
      step(says('I paint.'), calls('c1', 'paint', { color: 'red' })),
      step(says('And apply.'), calls('c2', 'apply', { job: 3 })),
      step(says('Both.')),
    ])
    const agent = begin()
    const tools = [paint]
    expect(typesOf(await run(agent, 'Paint', { tools })).slice(-3)).not.toContain('MESSAGES_SNAPSHOT')
    give(agent, openCalls(agent)[0]?.id ?? '', 'Red.')
    const { events, visible } = await runVisibly(agent, undefined, { tools })

    expect(typesOf(events).slice(-3)).toEqual(LAST)
    expect(snapshotOf(events).map(bare)).toEqual(visible.map(bare))
    expect(agent.messages.map(bare)).toEqual(visible.map(bare))
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })

  it.each([
    ['a later step without text', step(calls('c2', 'apply', { job: 3 }))],
    ['a step with thoughts', step(thinks('Hm.'), says('May I?'), calls('c2', 'apply', { job: 3 }))],
  ])('are left out where some clients have others: %s', async (_name, asking) => {
    scripted.play([
      step(says('I look.'), calls('c1', 'weather', { city: 'Oslo' })),
      asking,
      step(says('Yes.')),
    ])
    const agent = begin()
    const events = await run(agent, 'Apply')

    expect(typesOf(events).slice(-2)).toEqual(['STATE_SNAPSHOT', 'RUN_FINISHED'])
    await run(agent, undefined, { resume: answerOf(agent) })
    expect(textOf(agent)).toMatch(/Yes\.$/)
  })

  it('leave out a page tool’s call that no person has approved', async () => {
    scripted.play([
      step(says('Both?'), calls('c1', 'burn', {}), calls('c2', 'apply', { job: 3 })),
      step(says('Done.')),
    ])
    const agent = begin()
    const events = await run(agent, 'Burn', { tools: [burn] })

    expect(snapshotOf(events).flatMap(({ toolCalls = [] }) => toolCalls)).toMatchObject([
      { function: { name: 'apply' } },
    ])
    expect(openCalls(agent).map(({ function: { name } }) => name)).toEqual(['apply'])
  })
})

describe('the messages before an interrupt', () => {
  it('have no cursor: what a client gets after any cursor is the same otherwise', async () => {
    scripted.play([step(says('I ', 'apply.'), calls('c1', 'apply', { job: 3 }))])
    const body = { threadId: 'cursors', runId: 'r1', messages: [{ id: 'm', role: 'user', content: 'Apply' }] }
    const read = async (after?: string): Promise<{ text: string; frames: Event[] }> => {
      const headers = after === undefined ? {} : { 'last-event-id': after }
      const reply = await client(server).send('POST', '/ag-ui/jobs', body, headers)
      const bytes = Buffer.from(await reply.arrayBuffer())
      return { text: bytes.toString(), frames: bytes.length === 0 ? [] : (framesOf(bytes) as Event[]) }
    }
    const { text, frames } = await read()
    const cursors = [...text.matchAll(/^id: (.*)$/gm)].map(([, cursor = '']) => cursor)

    expect(cursors).toHaveLength(frames.length - 1)
    for (const [index, cursor] of cursors.entries())
      expect(withoutSnapshot((await read(cursor)).frames)).toEqual(
        withoutSnapshot(frames).slice(Math.max(1, index)),
      )
  })
})

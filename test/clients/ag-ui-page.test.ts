import { describe, expect, it } from 'vitest'

import { gate } from '../support/gate.ts'
import { weather } from '../support/story-tools.ts'
import { calls, says, scriptedModel, step, thinks } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { generations, run } from './ag-ui-agent.ts'

const scripted = scriptedModel()
const server = useServer({ models: scripted.models, tools: [{ ...weather, needsApproval: () => true }] })

type Page = {
  readonly messages: readonly {
    readonly id: string
    readonly role: string
    readonly parts: readonly object[]
  }[]
  readonly activeRun: { readonly runId: string } | null
  readonly interrupts: { readonly runId: string; readonly pending: readonly { id: string }[] } | null
  readonly page: { readonly truncated: boolean; readonly cursor?: string }
}

describe('a page of TanStack AI that opens', () => {
  const [newest] = generations
  const openAgent = (thread: string) => newest?.open(`${server.url}/ag-ui/jobs`, thread) as never
  const read = async (thread: string, query = ''): Promise<Page> => {
    const url = `${server.url}/ag-ui/jobs?threadId=${thread}${query}`
    const reply = await server.fetch(new Request(url, { headers: { accept: 'application/json' } }))
    expect(reply.status).toBe(200)
    return (await reply.json()) as Page
  }

  it('gets an empty conversation where there is none', async () => {
    const empty = { messages: [], activeRun: null, interrupts: null, page: { truncated: false } }
    expect(await read('page-new')).toEqual(empty)
  })

  it('gets the question that waits, and can answer it', async () => {
    scripted.play([
      step(thinks('Oslo.'), says('I look.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('Rain.')),
    ])
    await run(openAgent('page-asks'), 'Weather?', { runId: 'asks-1' })
    const { messages, activeRun, interrupts } = await read('page-asks')
    const [question] = interrupts?.pending ?? []
    const id = question?.id

    expect(activeRun).toBeNull()
    expect(interrupts).toMatchObject({ runId: 'asks-1', pending: [{ reason: 'tool_call', toolCallId: id }] })
    expect(messages.map(({ parts }) => parts)).toEqual([
      [{ type: 'text', content: 'Weather?' }],
      [
        { type: 'thinking', content: 'Oslo.' },
        { type: 'text', content: 'I look.' },
        {
          type: 'tool-call',
          id,
          name: 'weather',
          arguments: '{"city":"Oslo"}',
          input: { city: 'Oslo' },
          state: 'approval-requested',
          approval: { id, needsApproval: true },
        },
      ],
    ])
    const resume = [{ interruptId: id ?? '', status: 'resolved', payload: { approved: true } } as const]
    await run(openAgent('page-asks'), undefined, { resume })
    const after = await read('page-asks')

    expect(after.interrupts).toBeNull()
    expect(after.messages.flatMap(({ parts }) => parts)).toMatchObject([
      { content: 'Weather?' },
      { type: 'thinking' },
      { content: 'I look.' },
      { type: 'tool-call', state: 'complete' },
      { type: 'tool-result', toolCallId: id, content: 'Rain in Oslo.', state: 'complete' },
      { content: 'Rain.' },
    ])
  })

  it('gets the run that it follows, without its answer so far', async () => {
    const held = gate()
    scripted.play([step(says('One.')), step(says('Two ', held, 'or three.'))])
    await run(openAgent('page-live'), 'First')
    const answer = run(openAgent('page-live'), 'Second')
    await held.reached
    const { messages, activeRun } = await read('page-live')
    held.open()
    await answer

    expect(messages.map(({ parts }) => parts)).toEqual([
      [{ type: 'text', content: 'First' }],
      [{ type: 'text', content: 'One.' }],
      [{ type: 'text', content: 'Second' }],
    ])
    const url = `${server.url}/ag-ui/jobs?offset=-1&runId=${activeRun?.runId}`
    expect(await server.fetch(new Request(url)).then((reply) => reply.text())).toContain('or three.')
  })

  it('reads older parts by the cursor', async () => {
    scripted.play([step(says('One.')), step(says('Two.'))])
    const agent = openAgent('page-long')
    await run(agent, 'First')
    await run(agent, 'Second')
    const newestPart = await read('page-long', '&limit=2')
    const { cursor = '' } = newestPart.page
    const older = await read('page-long', `&limit=2&before=${cursor}`)

    expect([newestPart, older].map(({ messages }) => messages.map(({ parts }) => parts[0]))).toMatchObject([
      [{ content: 'Second' }, { content: 'Two.' }],
      [{ content: 'First' }, { content: 'One.' }],
    ])
    expect(older.page).toEqual({ truncated: false })
  })
})

import { expect, it } from 'vitest'

import { framesOf, reading } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { isRunEnd, socketClient } from '../support/socket-client.ts'
import { postJson } from '../support/http.ts'

it('sends the earlier messages to the reader of a queued run once it starts', async () => {
  const held = gate()
  const { models } = scriptedModel([step(says('It ', held, 'rains.')), step(says('Still.'))])
  await using server = await openServer({ models })
  const post = (path: string, body: object): Promise<Response> => postJson(`${server.url}${path}`, body)
  await post('/v1/threads', { name: 'oslo', agent: 'jobs' })
  await post('/v1/threads/oslo/runs', { message: 'How is it?' })
  await held.reached
  const queued = { message: 'And now?', policy: 'enqueue' }
  const response = await post('/v1/threads/oslo/runs?protocol=ag-ui', queued)
  const runId = String(response.headers.get('x-run-id'))
  using watcher = socketClient(server.url)
  await watcher.ask('follow_run', { runId })

  held.open()
  const frames = framesOf(await reading(response).whole())
  await watcher.until(isRunEnd(runId))

  for (const events of [frames, watcher.of(runId)])
    expect(saidBefore(events)).toEqual(['How is it?', 'It rains.', 'And now?'])
})

function saidBefore(events: readonly { readonly [field: string]: unknown }[]): unknown[] {
  const snapshot = events.find(({ type }) => type === 'MESSAGES_SNAPSHOT')?.['messages']
  return (snapshot as { content: unknown }[]).map(({ content }) => content)
}

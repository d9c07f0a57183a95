import { expect, it } from 'vitest'

import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { framesOf, reading, type Reading } from '../support/event-stream.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import { bearer, withTokens } from '../support/users.ts'

const ride = { ...weather, name: 'ride', needsApproval: () => true }

/** Speaks over the network as a user. */
function userOf(server: TestServer, user: string) {
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...bearer(server.token(user)) },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    send,
    json: async (method: string, path: string, body?: object) =>
      (await (await send(method, path, body)).json()) as { id: string; run: { id: string } },
    async listen(): Promise<Reading> {
      const response = await send('GET', '/v1/events')
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      const stream = reading(response)
      await stream.until('"changed"')
      return stream
    },
  }
}

const changesOf = (stream: Reading) => framesOf(stream.soFar())

it('tells the clients of a user, and no others, what happens to threads, runs and questions', async () => {
  const { models } = scriptedModel([step(calls('c1', 'ride', { city: 'Oslo' })), step(says('We are there.'))])
  await using server = await openServer({ models, tools: [ride], users: ['ada', 'bob'] })
  const [ada, bob] = [userOf(server, 'ada'), userOf(server, 'bob')]
  const [first, second, other] = [await ada.listen(), await ada.listen(), await bob.listen()]

  const { id: threadId } = await ada.json('POST', '/v1/threads', {})
  const started = await ada.send('POST', `/v1/threads/${threadId}/runs`, { message: 'Ride.' })
  const runId = started.headers.get('x-run-id')
  await reading(started).until('run.waiting')
  const [question] = (
    (await (await ada.send('GET', '/v1/questions')).json()) as { questions: { callId: string }[] }
  ).questions
  await first.until('"waiting"')
  const live = (await (await ada.send('GET', '/v1/runs?live=true')).json()) as object
  const answer = { callId: question?.callId, answer: { kind: 'approval', approved: true } }
  await ada.send('POST', `/v1/runs/${runId}/answers`, answer)
  await first.until('"finished"')
  await ada.send('PATCH', `/v1/threads/${threadId}`, { title: 'To Oslo' })
  const fork = await ada.json('POST', `/v1/threads/${threadId}/fork`, {})
  await ada.send('DELETE', `/v1/threads/${threadId}`)
  for (const stream of [first, second]) await stream.until('thread.deleted')
  await bob.json('POST', '/v1/threads', {})
  await other.until('thread.changed')

  const run = { type: 'run.changed', threadId, runId }
  const thread = { type: 'thread.changed', threadId }
  expect(changesOf(first)).toEqual([
    { type: 'changed' },
    thread,
    { ...run, status: 'running' },
    { ...run, status: 'waiting' },
    { type: 'questions.changed' },
    { ...run, status: 'running' },
    { ...run, status: 'finished' },
    thread,
    { type: 'thread.changed', threadId: fork.id },
    { type: 'thread.deleted', threadId },
  ])
  expect(changesOf(second)).toEqual(changesOf(first))
  expect(changesOf(other).map(({ type }) => type)).toEqual(['changed', 'thread.changed'])
  expect(other.soFar().toString()).not.toContain(threadId)
  expect(live).toMatchObject({ runs: [{ id: runId, status: 'waiting' }] })
  expect(await (await ada.send('GET', '/v1/runs?live=true')).json()).toEqual({ runs: [] })
})

it('is a reader like any other: counted, and closed once its token is revoked', async () => {
  const { models } = scriptedModel()
  await using server = await openServer({
    models,
    users: ['ada', 'bob'],
    isOnDisk: true,
    flags: ['--readers', '2'],
  })
  const [ada, bob] = [userOf(server, 'ada'), userOf(server, 'bob')]
  const first = await ada.listen()
  const second = await ada.listen()

  expect((await ada.send('GET', '/v1/events')).status).toBe(429)
  const other = await bob.listen()

  await second.leave()
  await expect.poll(async () => (await ada.send('GET', '/v1/events')).status).toBe(200)
  await withTokens(server.home, async (all) => all.revoke('ada'))

  await expect(first.whole()).rejects.toThrow()
  await bob.json('POST', '/v1/threads', {})
  await other.until('thread.changed')
})

import { describe, expect, it } from 'vitest'

import { textOf, type ClientTool, type ClientTurn, type Message, type UserPart } from '../events/index.ts'
import { calling } from './calling.fixture.ts'
import { harnesses, request, untilAborted } from './harness.fixture.ts'

const GUEST = 'guest_abcdefghijkl'
const message = (...texts: string[]) => ({
  message: { parts: texts.map((text): UserPart => ({ type: 'text', text })) },
})
const file: UserPart = {
  type: 'file',
  mediaType: 'text/plain',
  url: `data:text/plain;base64,${'A'.repeat(9000)}`,
}

/** The harness allows 1000 bytes to a user, and 100 to a guest. */
describe('the limit of a message', () => {
  const harness = harnesses()

  it('takes a message of that length, and files with it', async () => {
    const { runs, types } = await harness(async () => undefined)

    const { run } = await runs.start({
      ...request,
      message: { parts: [...message('a'.repeat(1000)).message.parts, file] },
    })

    expect(await types(run.id)).toEqual(['run.started', 'run.finished'])
  })

  it.each([
    ['a text', message('a'.repeat(1001)), 'message', 'messageBytes'],
    ['characters of three bytes', message('我'.repeat(334)), 'message', 'messageBytes'],
    ['many parts', message(...Array<string>(600).fill('a')), 'message', 'messageBytes'],
    ['a message of a guest', { userId: GUEST, ...message('a'.repeat(101)) }, 'message', 'guestMessageBytes'],
    ['a context', { context: { page: 'a'.repeat(1000) } }, 'context', 'messageBytes'],
  ])('refuses %s that is longer, before anything reads it', async (_case, more, field, name) => {
    const { runs, store } = await harness(() => Promise.reject(new Error('The engine was asked.')), {
      inputGuardrail: () => Promise.reject(new Error('The guardrail was asked.')),
    })

    await expect(runs.start({ ...request, key: 'k', ...more })).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining(`${field}: longer than`) as string,
      details: { field, limit: name === 'messageBytes' ? 1000 : 100 },
    })
    expect(await store.find(request.userId, 'k')).toBeUndefined()
  })

  it.each<[string, { turns: readonly ClientTurn[] } | { history: readonly Message[] }]>([
    ['turns', { turns: [{ role: 'user', text: 'a'.repeat(1001) }] }],
    [
      'a history',
      { history: [{ role: 'user', id: 'm1', parts: [...message('a'.repeat(1001)).message.parts] }] },
    ],
  ])('answers after a message that it refused, which the client sends again in %s', async (_how, more) => {
    const history: string[] = []
    const { runs, types } = await harness(async (job) => void history.push(...job.history.map(textOf)))

    const { run } = await runs.start({ ...request, ...more })

    expect(await types(run.id)).toEqual(['run.started', 'run.finished'])
    expect(history[0]).toBe('[A message of more than 1000 bytes was left out here.]')
  })

  it('refuses a long message to a run that goes on', async () => {
    const { runs } = await harness((_job, host) => untilAborted(host))
    await runs.start({ ...request, thread: 'chat' })

    const second = runs.start({ ...request, thread: 'chat', policy: 'steer', ...message('a'.repeat(1001)) })

    await expect(second).rejects.toMatchObject({ code: 'too-large' })
  })

  it('refuses a long answer, and the question stays open', async () => {
    const tool: ClientTool = {
      name: 'locate',
      description: 'Where the user is.',
      inputSchema: { type: 'object' },
    }
    const { runs, said, types } = await harness(calling('locate'))
    const { run } = await runs.start({ ...request, thread: 'chat', tools: [tool] })
    await said(run.id, 'run.waiting')
    const answer = (output: string) =>
      runs.answer(run, { callId: `${run.id}.1`, answer: { kind: 'output', output } }, request.userId)

    await expect(answer('a'.repeat(1000))).rejects.toMatchObject({ code: 'too-large' })
    await answer('here')

    expect((await types(run.id)).at(-1)).toBe('run.finished')
  })
})

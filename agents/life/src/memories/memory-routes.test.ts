import { describe, expect, it } from 'vitest'

import { requester, setUp, type MemoriesSetup } from './memory-store.fixture.ts'
import type { Memory } from './memory.ts'
import { memoriesRoutes } from './memory-routes.ts'

async function door(): Promise<MemoriesSetup & { ask: ReturnType<typeof requester> }> {
  const room = await setUp()
  return { ...room, ask: requester(memoriesRoutes(room.store)) }
}

const hiking = { content: '我喜欢爬山', type: 'preference', importance: 4 }

describe('the routes of the memories', () => {
  it('keep one, show it, change it and forget it', async () => {
    const { ask } = await door()

    const made = await ask('POST /memories', hiking)
    const again = await ask('POST /memories', { content: '喜欢爬山。' })
    const { id } = made.body['memory'] as Memory
    const listed = await ask('GET /memories?words=爬山')
    const changed = await ask(`PATCH /memories/${id}`, { content: '我喜欢去山里走走' })
    const deletion = await ask(`DELETE /memories/${id}`)

    expect(made).toMatchObject({ status: 201, body: { memory: hiking, same: false } })
    expect(again).toMatchObject({ status: 200, body: { memory: { id, importance: 4 }, same: true } })
    expect(listed.body).toMatchObject({ memories: [{ id }], total: 1 })
    expect(changed.body).toMatchObject({ memory: { id, content: '我喜欢去山里走走', importance: 4 } })
    expect(deletion).toEqual({ status: 200, body: { success: true } })
    expect((await ask('GET /memories')).body).toEqual({ memories: [], total: 0 })
  })

  it('forget all of one user’s, and none of another’s', async () => {
    const { ask } = await door()
    for (const content of ['I like tea', 'I keep two cats']) await ask('POST /memories', { content })
    await ask('POST /memories', hiking, 'bob')

    expect(await ask('DELETE /memories')).toEqual({ status: 200, body: { success: true, removed: 2 } })
    for (const limit of ['', '0', '-5', '100000'])
      expect((await ask(`GET /memories?limit=${limit}`, undefined, 'bob')).body).toMatchObject({
        memories: [hiking],
        total: 1,
      })
  })

  it('do not know another user’s', async () => {
    const { ask } = await door()
    const { id } = (await ask('POST /memories', hiking)).body['memory'] as Memory

    for (const request of [`PATCH /memories/${id}`, `DELETE /memories/${id}`, `GET /memories?before=${id}`]) {
      const body = request.startsWith('PATCH') ? { importance: 1 } : undefined
      expect(await ask(request, body, 'bob')).toMatchObject({ status: 404, body: { code: 'not-found' } })
    }
  })

  it.each<[string, unknown, string]>([
    ['POST /memories', { content: ' ' }, 'content must not be empty'],
    ['POST /memories', { content: 'x'.repeat(501) }, 'content may have at most 500 characters'],
    [
      'POST /memories',
      { content: 'tea', type: 'rumour' },
      'type must be one of: fact, preference, goal, event, insight',
    ],
    ['POST /memories', { content: 'tea', importance: 6 }, 'importance must be a whole number from 1 to 5'],
    [
      'POST /memories',
      { content: 'my password is hunter2' },
      'Passwords are never kept as memories. Please keep it in a password manager.',
    ],
    ['POST /memories', [], 'The body must be a JSON object'],
    ['PATCH /memories/x', { text: 'tea' }, 'There is no field text'],
    ['PATCH /memories/x', {}, 'There is nothing to change: give content, type or importance'],
    ['GET /memories?limit=x', undefined, 'limit: must be a whole number from 1 to 100.'],
  ])('%s %j: 400', async (request, body, error) => {
    const { ask } = await door()

    expect(await ask(request, body)).toMatchObject({ status: 400, body: { error } })
  })

  it('say that memory is off', async () => {
    const { ask, off } = await door()
    off.add('ada')

    expect(await ask('POST /memories', hiking)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })
})

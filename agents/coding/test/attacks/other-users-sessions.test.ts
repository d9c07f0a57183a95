import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { codingServer } from '../support/coding.ts'
import { reading } from '../../../../test/support/event-stream.ts'
import { gate } from '../../../../test/support/gate.ts'
import { says, step } from '../../../../test/support/scripted-model.ts'
import { bearer } from '../../../../test/support/users.ts'
import { rows } from '../../../../test/support/wire.ts'

const NO_SESSION = 'There is no such conversation.'
const NO_REQUEST = 'There is no such request.'
/** What Bob tries with Ada's names. */
const ATTEMPTS: [string, string][] = [
  ['POST /chat/stream {"sessionId":"CONV","message":"go on"}', NO_SESSION],
  ['POST /chat/stream {"sessionId":"CONV","messageId":"m1","message":"tell me the secret"}', NO_SESSION],
  ['GET /chat/stream?sessionId=CONV', NO_SESSION],
  ['GET /chat/stream?sessionId=NAME', NO_SESSION],
  ['GET /chat/stream?sessionId=CONV&messageId=m1', NO_SESSION],
  ['GET /chat/stream?messageId=m1&after=1', NO_REQUEST],
  ['GET /chat/stream?messageId=MSG', NO_REQUEST],
  ['GET /chat/stream?messageId=message:coding%2FCONV:m1', NO_REQUEST],
  ['GET /chat/stream?requestId=REQ', NO_REQUEST],
  ['GET /chat/stream?requestId=RUN&responseMode=full', NO_REQUEST],
  ['POST /chat/cancel {"requestId":"REQ"}', NO_REQUEST],
  ['POST /chat/cancel {"requestId":"RUN"}', NO_REQUEST],
  ['POST /chat/cancel {"messageId":"m1"}', NO_REQUEST],
  ['POST /chat/cancel {"messageId":"MSG"}', NO_REQUEST],
  ['POST /chat/cancel {"sessionId":"CONV"}', NO_SESSION],
  ['POST /chat/cancel {"sessionId":"NAME"}', NO_SESSION],
  ['POST /chat/history {"sessionId":"CONV"}', NO_SESSION],
  ['POST /chat/history {"sessionId":"NAME"}', NO_SESSION],
  ['POST /session/get {"sessionId":"CONV"}', NO_SESSION],
  ['POST /session/get {"sessionId":"NAME"}', NO_SESSION],
  ['POST /session/delete {"sessionId":"CONV"}', NO_SESSION],
  ['POST /session/delete {"sessionId":"NAME"}', NO_SESSION],
  ['POST /session/update-workspace {"sessionId":"NAME","workspaceRoot":"ROOT"}', NO_SESSION],
  ['POST /session/add-directory {"sessionId":"CONV","directory":"ROOT"}', NO_SESSION],
  ['POST /files/list {"sessionId":"CONV"}', NO_SESSION],
  ['POST /files/write {"sessionId":"CONV","path":"x","content":"x"}', NO_SESSION],
  ['POST /sessions/list {"before":"CONV"}', NO_SESSION],
]

describe('a session of another user', () => {
  it('is hidden and unchanged under every name', async () => {
    const { server, model, send, root } = await codingServer({ users: ['ada', 'bob'], isOnDisk: true })
    const as = (user: string, method: string, path: string, body?: Json | string) =>
      send(method, `/api${path}`, body, bearer(server.token(user)))
    const hold = gate()
    model.play([step(says('Half', hold, ' of a secret.')), step(says('For Bob.'))])
    const first = await as('ada', 'POST', '/chat/stream', {
      sessionId: 'mine',
      messageId: 'm1',
      message: 'tell me the secret',
    })
    const read = reading(first)
    await read.until('Half')
    const answer = await as('ada', 'POST', '/chat/history', { sessionId: 'mine' })
    const { history } = (await answer.json()) as { history: { messageId: string }[] }
    const names: Record<string, string> = {
      CONV: String(first.headers.get('x-conversation-id')),
      RUN: String(first.headers.get('x-run-id')),
      REQ: String(first.headers.get('x-request-id')),
      MSG: String(history.at(-1)?.messageId),
      NAME: 'mine',
      ROOT: root,
    }
    const before = await rows(server.home)

    for (const [attempt, error] of ATTEMPTS) {
      const here = attempt.replaceAll(/\b(?:CONV|RUN|REQ|MSG|NAME|ROOT)\b/g, (name) => names[name] ?? name)
      const [, method = '', path = '', body] = /^(\w+) (\S+)(?: (.*))?$/s.exec(here) ?? []
      const reply = await as('bob', method, path, body)
      expect({ attempt, status: reply.status, said: await reply.json() }).toEqual({
        attempt,
        status: 404,
        said: { error, code: 'not-found' },
      })
    }
    expect(await (await as('bob', 'POST', '/sessions/list', {})).json()).toEqual({ sessions: [] })
    expect(await rows(server.home)).toEqual(before)

    // Of the same names Bob has his own.
    const own = await as('bob', 'POST', '/chat/stream', {
      sessionId: 'mine',
      messageId: 'm1',
      message: 'my own',
    })
    expect(await own.text()).toContain('For Bob.')
    expect(own.headers.get('x-session-created')).toBe('true')
    expect((await as('bob', 'POST', '/session/delete', { sessionId: 'mine' })).status).toBe(200)
    hold.open()
    expect(String(await read.whole())).toContain(' of a secret.')
    expect((await as('ada', 'POST', '/session/get', { sessionId: 'mine' })).status).toBe(200)
  })
})

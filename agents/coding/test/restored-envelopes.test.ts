import { expect, it } from 'vitest'

import { isLogReplaced } from '@dragoman/client'
import { postJson } from '../../../test/support/http.ts'
import {
  BACKED_UP_TEXT,
  LAST_LOST,
  NEW_TEXT,
  openRestoredServer,
} from '../../../test/support/restored-server.ts'
import { envelopes } from '../src/client/index.ts'
import { envelope } from '../src/protocols/envelope/index.ts'

it.each(['incremental', 'full'] as const)(
  '%s envelopes do not mix two logs of a restored run',
  async (mode) => {
    await using server = await openRestoredServer({ capability: { protocols: [envelope] } })
    const { url } = server.line
    const answer = await postJson(`${url}/jobs/chat`, { message: 'Go.' })
    const events = `${url}/v1/runs/${answer.headers.get('x-run-id')}/events`
    await answer.body?.cancel()
    let text = ''
    const follow = async (): Promise<void> => {
      for await (const frame of envelopes(events, { responseMode: mode })) text += JSON.stringify(frame)
    }
    const following = follow()
    await server.backUp()
    await expect.poll(() => text).toContain(LAST_LOST)

    await server.restore()

    await expect(following).rejects.toSatisfy((error) => isLogReplaced(error))
    expect(text).not.toContain('New')
    const again = (await Array.fromAsync(envelopes(events, { responseMode: 'full' }))).at(-1)
    expect(JSON.stringify(again)).toContain(BACKED_UP_TEXT)
    expect(JSON.stringify(again)).toContain(NEW_TEXT)
  },
)

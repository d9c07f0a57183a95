import { describe, expect, it } from 'vitest'

import { createModels } from '../../../../packages/dragoman/src/models/index.ts'
import { client } from '../../../../test/support/http.ts'
import { openServer } from '../../../../test/support/server.ts'
import { assistant } from '../../src/index.ts'

const DELTA = '"delta":[{"op":"replace","path":"/theme","value":"dark"}]'

describe('the shared state of a page', () => {
  it('changes in English and Chinese, and stays unchanged if no state is shared', async () => {
    await using server = await openServer({
      models: createModels({ env: {}, offlinePace: 0 }),
      agents: [assistant],
    })
    const ask = async (runId: string, content: string, state?: object) => {
      const message = { id: `m-${runId}`, role: 'user', content }
      const input = {
        threadId: `t-${runId}`,
        runId,
        messages: [message],
        tools: [],
        context: [],
        ...(state && { state: { ...state } }),
      }
      const answer = await client(server).post('/ag-ui/assistant', input)
      return answer.text()
    }

    const english = await ask('r1', 'set the theme to dark', { theme: 'light', count: 1 })
    expect(english).toContain(DELTA)
    expect(english).toContain('"toolCallName":"update_state"')
    expect(await ask('r2', '把 theme 改成 dark', { theme: 'light' })).toContain(DELTA)
    expect(await ask('r3', 'set the theme to dark')).not.toContain('update_state')
  })
})

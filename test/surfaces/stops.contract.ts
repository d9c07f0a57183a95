import { describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/events/index.ts'
import type { Protocol } from '../../packages/dragoman/src/protocols/index.ts'
import { createApplyTool } from '../clients/questions.ts'
import { reading } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { client } from '../support/http.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'

/** How a run ends for a reader of `dialect` when somebody stops it. `body` asks in it; `end` is how its answer ends. */
export function describeStops(
  dialect: string,
  { body, end, protocols = [] }: { body: Json; end: RegExp; protocols?: readonly Protocol[] },
): void {
  describe(`a stopped run in ${dialect}`, () => {
    const opened = async (...script: ReturnType<typeof step>[]) => {
      const { models } = scriptedModel(script)
      const server = await openServer({ models, tools: [createApplyTool().apply], capability: { protocols } })
      const { json, post } = client(server)
      await json('POST', '/v1/threads', { name: 'chat-1' })
      const path = dialect === 'native' ? '/v1/threads/chat-1/runs' : '/jobs/chat'
      const stop = async (answer: Response) =>
        expect(
          (await json('POST', '/jobs/chat/stop', { runId: answer.headers.get('x-run-id') })).body,
        ).toEqual({ stopped: true })
      return { server, stop, ask: (more: object = {}) => post(path, { ...(body as object), ...more }) }
    }

    it('ends correctly while it is active', async () => {
      const held = gate()
      const { server, ask, stop } = await opened(step(says('Hello', held, ' world')))
      await using _ = server
      const answer = await ask()
      const read = reading(answer)
      await read.until('Hello')
      await stop(answer)

      expect((await read.whole()).toString()).toMatch(end)
    })

    it('ends correctly while it is queued; the run before it continues', async () => {
      const held = gate()
      const { server, ask, stop } = await opened(step(says('Hello', held, ' world')))
      await using _ = server
      const first = await ask()
      await held.reached
      const second = await ask({ policy: 'enqueue' })
      await stop(second)

      expect(await second.text()).toMatch(end)
      held.open()
      expect(await first.text()).toContain(' world')
    })

    it('ends correctly while it is suspended', async () => {
      const { server, ask, stop } = await opened(step(calls('c1', 'apply', { job: 3 })))
      await using _ = server
      const answer = await ask()
      const read = reading(answer)
      await read.until(dialect === 'native' ? 'run.waiting' : 'tool-calls')
      await stop(answer)

      const run = `/v1/runs/${answer.headers.get('x-run-id')}/events?protocol=${dialect}`
      expect(await (await fetch(`${server.url}${run}`)).text()).toMatch(end)
    })
  })
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { useChat } from '../support/configured.ts'
import { reading } from '../support/event-stream.ts'
import { useProcesses } from '../support/use-processes.ts'
import type { ScriptedStep } from '../support/scripted-server.ts'
import { ask } from '../support/wire.ts'
import { postJson } from '../support/http.ts'

const PROGRAM = join(import.meta.dirname, '../support/scripted-server.ts')
const house = useProcesses()

function started(script: readonly ScriptedStep[]) {
  return house.start([house.home, JSON.stringify(script)], {}, undefined, PROGRAM)
}

it('keeps the quota reservation of a killed run, and counts the run once after its end', async () => {
  const rules = [{ period: 'monthly', runs: 2, tokens: 100_000 }]
  await writeFile(join(house.home, 'config.yaml'), JSON.stringify({ quotas: { rules } }))
  const first = started([{ says: ['Half', null] }])
  const url = await first.ready
  const answer = await postJson(`${url}/jobs/chat`, useChat('chat-1'))
  const body = reading(answer)
  await body.until('Half')
  const limits = async (at: string) => (await ask(at, { path: '/v1/quota' })).json['limits']
  const going = [
    { unit: 'runs', used: 1, remaining: 1 },
    { unit: 'tokens', used: 2000 },
  ]
  expect(await limits(url)).toMatchObject(going)

  first.kill()
  await first.ended
  const again = await started([{ says: [' done.'] }, { says: ['Hi.'] }]).ready
  const events = await fetch(`${again}/v1/runs/${answer.headers.get('x-run-id')}/events`)
  expect(await events.text()).toContain('run.finished')

  const usage = async () => (await ask(again, { path: '/v1/usage' })).json
  // On PostgreSQL, counts may be late.
  await expect.poll(usage).toMatchObject({ total: { runs: 1 } })
  const [, tokens] = (await limits(again)) as { used: number }[]
  const json = await usage()
  const { inputTokens, outputTokens } = json['total'] as Record<string, number>
  expect(json).toMatchObject({ total: { runs: 1 } })
  // One step was cut off and estimated, the other counted by its provider.
  expect(tokens?.used).toBe((inputTokens ?? 0) + (outputTokens ?? 0))
  expect(tokens?.used).toBeLessThan(2000)
  expect(tokens?.used).toBeGreaterThan(12)
  const send = (chat: string) => ask(again, { method: 'POST', path: '/jobs/chat', body: useChat(chat) })
  expect((await send('chat-2')).status).toBe(200)
  expect(await send('chat-3')).toMatchObject({ status: 429, json: { tier: 'owner', used: 2 } })
})

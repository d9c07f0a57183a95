import { expect, it } from 'vitest'

import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { useProcesses } from '../../../../test/support/use-processes.ts'
import { postJson } from '../../../../test/support/http.ts'

const house = useProcesses()

/** A server in a process of its own, that serves its home. */
function started(pace: number) {
  const args = ['--port', '0', '--home', house.home, '--root', house.home, '--log-level', 'silent']
  return house.start(args, { DRAGOMAN_OFFLINE_PACE: String(pace) })
}

it('ends a killed run of the agent chat after the next start, without a continuation', async () => {
  const first = started(5)
  const url = await first.ready
  const answer = await postJson(`${url}/api/agent-chat`, { message: 'hello', workDir: house.home })
  const run = `/v1/runs/${answer.headers.get('x-run-id')}`
  const body = reading(answer)
  await body.until('"content"')
  first.kill()
  await expect(body.until('"complete"')).rejects.toThrow()
  const had = framesOf(body.soFar()).filter(({ type }) => type === 'thinking' || type === 'content')

  const again = await started(0).ready
  const frames = framesOf(await reading(await fetch(`${again}${run}/events?protocol=agent-events`)).whole())

  expect(frames.slice(-2)).toMatchObject([{ type: 'error', code: 'interrupted' }, { type: 'complete' }])
  const textFrames = frames.filter(({ type }) => type === 'thinking' || type === 'content')
  // What was about to be said when it was killed may have reached the log and nobody else.
  expect(textFrames.slice(0, had.length)).toEqual(had)
  expect(textFrames.length).toBeLessThan(had.length + 5)
  const threads = await (await fetch(`${again}/v1/threads`)).json()
  expect(threads).toMatchObject({ threads: [] })
})

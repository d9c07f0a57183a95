import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { gate } from '../../../../test/support/gate.ts'
import { eveRequest } from '../../../../agents/jobs/test/support/eve-request.ts'
import { jobsProvider } from '../../../../agents/jobs/test/support/jobs-provider.ts'
import { useProcesses } from '../../../../test/support/use-processes.ts'
import { JUDGED, postingNumber, RESUME } from '../../../../agents/jobs/test/support/seeker.ts'
import { judgedJobs } from '../../../../agents/jobs/test/support/judged-jobs.ts'
import { ask } from '../../../../test/support/wire.ts'
import { isFull } from '../../../../test/support/is-full.ts'
import { postJson } from '../../../../test/support/http.ts'

const house = useProcesses()

describe.runIf(isFull)('a server killed during a batch', () => {
  it.each([
    ['pi', 'ANTHROPIC'],
    ['default', 'OPENAI'],
  ])(
    'continues the batch after a restart, and analyzes no posting twice: %s, %s',
    async (engine, prefix) => {
      await using provider = await jobsProvider()
      const held = gate()
      provider.play({ name: 'jobs_analyze', input: {} })
      provider.answer(async (_question, number) => {
        if (number === 3 || number === 4) await held.pass()
        return JUDGED
      })
      const env = { [`${prefix}_BASE_URL`]: provider.url, [`${prefix}_API_KEY`]: 'sk-right-1234' }
      const started = () => house.start(['--port', '0', '--home', house.home, '--log-level', 'silent'], env)
      const judged = () => judgedJobs(house.home)
      await mkdir(join(house.home, 'agents/jobs'), { recursive: true })
      await writeFile(join(house.home, 'agents/jobs/agent.json'), JSON.stringify({ engine }))
      const first = started()
      const url = await first.ready
      const send = (path: string, body: Json) => ask(url, { method: 'POST', path, body })
      await send('/jobs/resumes', { content: RESUME })
      for (const number of [1, 2, 3, 4]) await send('/jobs', postingNumber(number))
      const chat = await postJson(`${url}/jobs/chat?ids=1`, eveRequest('judge them all'))
      const run = String(chat.headers.get('x-run-id'))
      await reading(chat).until('2/4 ')
      await expect.poll(() => provider.questions.length, { interval: 5 }).toBe(4)
      const before = judged()
      first.kill()
      await first.ended

      const again = await started().ready
      const frames = framesOf(Buffer.from((await ask(again, { path: `/v1/runs/${run}/events` })).text))
      held.open()

      expect(before).toHaveLength(2)
      expect(frames.at(-1)).toMatchObject({ type: 'run.finished' })
      expect(frames.filter(({ type }) => type === 'tool.returned')).toMatchObject([
        { output: { processed: 2, analyzed: 2, cached: 0, errors: [] } },
      ])
      expect(judged().toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4])
      expect(judged().slice(0, 2)).toEqual(before)
      // Four, and the two whose answers nobody was there to hear.
      expect(provider.questions).toHaveLength(6)
    },
    60_000,
  )
})

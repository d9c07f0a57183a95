import { expect, it } from 'vitest'

import { codingServer } from '../support/coding.ts'
import { calls, says, step } from '../support/scripted-model.ts'

it('gives a command as long as the server’s owner says', async () => {
  const { model, told } = await codingServer({
    flags: ['--command-timeout', '1'],
    env: { PATH: process.env['PATH'] ?? '' },
  })
  model.play([
    step(calls('c1', 'execute_command', { command: 'echo so far; sleep 100' })),
    step(says('Late.')),
  ])

  const { frames } = await told({ message: 'wait' })

  const results = frames
    .flatMap(({ messages }) => messages)
    .filter(({ type }) => type === 'tool_execution_complete')
  expect(results).toMatchObject([
    { value: { result: expect.stringMatching(/^Timed out[^]*so far/) as string } },
  ])
})

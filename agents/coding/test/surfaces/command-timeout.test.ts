import { expect, it } from 'vitest'

import { hasSandbox } from '../../src/commands/commands.fixture.ts'
import { codingServer } from '../support/coding.ts'
import { calls, says, step } from '../../../../test/support/scripted-model.ts'

// Without a sandbox each command needs an approval, which this test does not give.
const isSandboxed = await hasSandbox()

it.skipIf(!isSandboxed)('gives a command the configured timeout', async () => {
  const { model, askAndRead } = await codingServer({
    flags: ['--command-timeout', '1'],
    env: { PATH: process.env['PATH'] ?? '' },
  })
  model.play([step(calls('c1', 'execute_command', { command: 'sleep 100' })), step(says('Late.'))])

  const { frames } = await askAndRead({ message: 'wait' })

  const results = frames
    .flatMap(({ messages }) => messages)
    .filter(({ type }) => type === 'tool_execution_complete')
  expect(results).toMatchObject([
    { value: { result: expect.stringMatching(/^Timed out: it ran longer than 1 s/) as string } },
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scriptedModel, testServer, toolCall } from 'dragoman/testing'

import { agent } from './agent.ts'

test('rolls the requested dice', async () => {
  const model = scriptedModel([toolCall('roll', { dice: 2, sides: 6 }), 'There they are.'])
  await using server = await testServer({ agents: [{ ...agent, model }] })

  const answer = await server.send('dice', 'Roll two dice.')

  assert.equal(answer.text, 'There they are.')
  const [call] = answer.toolCalls
  assert.deepEqual(call?.input, { dice: 2, sides: 6 })
  assert.match(JSON.stringify(call?.output), /^\[\d,\d\]$/)
})

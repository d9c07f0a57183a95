import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type Models } from '../../packages/dragoman/src/index.ts'
import { client, chatRequest } from '../support/http.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { createTempDir } from '../support/create-temp-dir.ts'

describe('agents/<id>/agent.json', () => {
  let home: string
  let server: TestServer | undefined
  beforeEach(async () => {
    home = await createTempDir()
  })
  afterEach(async () => {
    await server?.[Symbol.asyncDispose]()
  })

  const write = async (id: string, text: string): Promise<void> => {
    await mkdir(join(home, 'agents', id), { recursive: true })
    await writeFile(join(home, 'agents', id, 'agent.json'), text)
  }
  const status = async (opened: TestServer): Promise<Record<string, unknown>> =>
    (await client(opened).json('GET', '/jobs/agent/status')).body

  it('removes a tool: the model does not see it, and a call fails as unknown', async () => {
    await write('jobs', '{"permissions": {"tools": {"deny": ["wipe*"]}}}')
    const ran: string[] = []
    const tools = ['look', 'wipe'].map((name) =>
      defineTool({
        name,
        description: name,
        inputSchema: z.object({}),
        execute: async () => {
          ran.push(name)
          return toolResult({ output: null, text: 'Done.' })
        },
      }),
    )
    const model = scriptedModel([
      step(calls('c1', 'wipe', {}), calls('c2', 'look', {})),
      step(says('I may not.')),
    ])
    const recordedCalls: string[][] = []
    server = await openServer({ models: listening(model.models, recordedCalls), tools, home })

    const { body } = await client(server).json('POST', '/jobs/chat', chatRequest('wipe', { stream: false }))

    expect(ran).toEqual(['look'])
    expect(body['parts']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'tool-wipe', state: 'output-error' }),
        expect.objectContaining({ type: 'tool-look', state: 'output-available' }),
        expect.objectContaining({ type: 'text', text: 'I may not.' }),
      ]),
    )
    expect(JSON.stringify(body)).toContain('There is no tool named wipe.')
    expect(recordedCalls).toEqual([['look'], ['look']])
    expect(await status(server)).toMatchObject({ tools: [{ name: 'look' }], problems: [] })
  })

  it('takes effect, and the status lists its unused fields', async () => {
    await write('jobs', '{"name": "${WHO:Ada}", "maxSteps": 4, "responsibilities": ["jobs:*"]}')

    server = await openServer({ models: scriptedModel().models, home })

    expect(await status(server)).toMatchObject({
      name: 'Ada',
      maxSteps: 4,
      notUsed: ['responsibilities'],
      problems: [],
    })
  })

  it.each([
    ['{"model": {"temperature": 3}}', 'agents/jobs/agent.json: model.temperature must be at most 2.'],
    ['{"name": ', 'agents/jobs/agent.json: Invalid JSON: it ends too early.'],
  ])('keeps the server from starting if it is %s', async (text, problem) => {
    await write('jobs', text)

    const opening = openServer({ models: scriptedModel().models, home })

    await expect(opening).rejects.toThrow(problem)
    await expect(opening).rejects.toMatchObject({ code: 'invalid-request' })
  })
})

/** Notes the names of the tools that the model is told of, call by call. */
function listening(models: Models, recordedCalls: string[][]): Models {
  return {
    choose(options) {
      const choice = models.choose(options)
      return {
        ...choice,
        async load() {
          const model = await choice.load()
          return {
            ...model,
            doStream(request) {
              recordedCalls.push((request.tools ?? []).map(({ name }) => name))
              return model.doStream(request)
            },
          }
        },
      }
    },
  }
}

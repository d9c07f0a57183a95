import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../../packages/dragoman/src/index.ts'
import { wireAgent, wordsOf, type Api } from '../support/wire-agent.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'
import { generations, run, textOf } from './ag-ui-agent.ts'

expectNoWarnings()

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.number() }),
  execute: () => 'One seen.',
})

describe.each(generations)('encrypted reasoning in the AG-UI client $version', ({ version, open }) => {
  it.each<[Api, string]>([
    ['anthropic', 'signed-by-claude'],
    ['responses', 'sealed-by-openai'],
    ['google', 'signed-by-gemini'],
  ])('comes as %s has it, and stays', async (api, value) => {
    await using server = await wireAgent(api, { tools: [look] })
    const { call, hello } = wordsOf(api)
    const agent = open(`${server.url}/ag-ui/jobs`, 'thread-1')
    const find = (): unknown[] =>
      [...JSON.stringify(agent.messages).matchAll(/"encryptedValue":"([^"]*)"/g)].map(([, each]) => each)
    server.play(call, hello)
    await run(agent, 'Look')
    const first = find()
    server.play(hello)

    await run(agent, 'Again')

    expect(textOf(agent)).toContain('Hello')
    expect(new Set(first)).toEqual(new Set(version === '1.0.0' ? [value] : []))
    expect(find()).toEqual(first)
  })
})

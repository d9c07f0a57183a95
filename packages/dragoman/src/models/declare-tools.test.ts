import { expect, it } from 'vitest'

import { declareTools } from './declare-tools.ts'

const call = { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: {} } as const
const prompt = [
  { role: 'user', content: [{ type: 'text', text: 'hi' }] },
  { role: 'assistant', content: [call, { ...call, toolCallId: 'd' }] },
] as const

it('declares the tools of earlier calls where there are none now', () => {
  const { tools, toolChoice } = declareTools({ prompt: prompt as never })

  expect(tools).toMatchObject([{ type: 'function', name: 'look' }])
  expect(toolChoice).toEqual({ type: 'none' })
})

it('changes no other request', () => {
  const tool = { type: 'function', name: 'paint', inputSchema: { type: 'object' } } as const
  const provided = [{ role: 'assistant', content: [{ ...call, providerExecuted: true }] }] as const
  for (const options of [{ prompt, tools: [tool] }, { prompt: prompt.slice(0, 1) }, { prompt: provided }])
    expect(declareTools(options as never)).toBe(options)
})

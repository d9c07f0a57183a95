import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'

import { demoModel } from '../../../../packages/dragoman/src/models/demo/index.ts'
import { demo } from './index.ts'

export type Turn = LanguageModelV4Prompt[number]

const tools: NonNullable<LanguageModelV4CallOptions['tools']> = [
  'show_bazi_chart',
  'calculate_bazi',
  'request_info',
  'show_bazi_fortune',
  'show_bazi_kline',
  'show_almanac',
  'find_days',
  'save_memory',
  'list_memories',
  'forget_memory',
  'delete_my_data',
  'search_db',
  'show_insight',
  'use_skill',
].map((name) => ({ type: 'function', name, description: name, inputSchema: { type: 'object' } }))

const briefing: Turn = {
  role: 'system',
  content: 'Core.\n\n# Today\nSunday, 22 November 2026, in Asia/Shanghai.',
}

export const user = (text: string): Turn => ({ role: 'user', content: [{ type: 'text', text }] })

/** A call of a tool's, and what it gave. */
export const came = (toolName: string, input: object, value: string, isError = false): Turn[] => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: toolName, toolName, input }] },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: toolName,
        toolName,
        output: { type: isError ? 'error-text' : 'text', value },
      },
    ],
  },
]

export type Said = { readonly calls: readonly object[]; readonly text: string }

/** What the offline model does as the life agent, on the 22nd of November 2026. For tests. */
export async function answer(...prompt: Turn[]): Promise<Said> {
  const { content } = await demoModel(demo, { pace: 0 }).doGenerate({ prompt: [briefing, ...prompt], tools })
  return {
    calls: content.flatMap((part) =>
      part.type === 'tool-call' ? [{ [part.toolName]: JSON.parse(part.input) as unknown }] : [],
    ),
    text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
  }
}

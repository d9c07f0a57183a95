import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'

import { demoModel } from '../../../../packages/dragoman/src/models/demo/index.ts'
import { demo } from './index.ts'

const names =
  'read_file write_file edit_file list_directory search_files glob_files execute_command diff'.split(' ')

/** The tools of the coding agent, as a model is offered them. */
const codingTools: NonNullable<LanguageModelV4CallOptions['tools']> = names.map((name) => ({
  type: 'function',
  name,
  inputSchema: { type: 'object' },
}))

export type Asked = { readonly tool: string; readonly input: unknown }
export type Came = { readonly ok: boolean; readonly text: string }

/** The next step of a run in which these calls have had these outcomes. */
export async function stepAfter(words: string, past: readonly (Asked & Came)[] = [], cutOff = false) {
  const prompt: LanguageModelV4Prompt = [
    { role: 'user', content: [{ type: 'text', text: words }] },
    ...past.flatMap(({ tool, input, ok, text }, index): LanguageModelV4Prompt => {
      const call = { toolCallId: `c${index}`, toolName: tool }
      const output = { type: ok ? ('text' as const) : ('error-text' as const), value: text }
      return [
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
      ]
    }),
  ]
  if (cutOff)
    prompt.push({
      role: 'user',
      content: [{ type: 'text', text: '[Continue] Your answer was cut off. Go on.' }],
    })
  const { content } = await demoModel(demo, { pace: 0 }).doGenerate({ prompt, tools: codingTools })
  return {
    calls: content.flatMap((part): Asked[] =>
      part.type === 'tool-call' ? [{ tool: part.toolName, input: JSON.parse(part.input) as unknown }] : [],
    ),
    text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
  }
}

/** Plays a request to its end. `outcome` stands for the tools. */
export async function played(words: string, outcome: (call: Asked) => Came) {
  const past: (Asked & Came)[] = []
  for (;;) {
    const { calls, text } = await stepAfter(words, past)
    if (calls.length === 0) return { calls: past.map(({ tool, input }) => ({ tool, input })), text }
    for (const call of calls) past.push({ ...call, ...outcome(call) })
  }
}

import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import type { Json } from '../../events/index.ts'
import { readConversation, type Reading } from './conversation.ts'
import { examplesOf, scriptedReply } from './exchanges.ts'
import { introducesItself, introduction } from './introduction.ts'
import { remainder } from './remainder.ts'
import type { DemoCall, DemoScript, DemoTool } from './script.ts'
import { talk } from './talk.ts'

/** One tool call, as a model makes it. */
export type Call = { readonly id: string; readonly tool: string; readonly input: string }

/** What the model says in one step. */
export type Reply = { readonly reasoning: string; readonly calls: readonly Call[]; readonly text: string }

type Tools = NonNullable<LanguageModelV4CallOptions['tools']>

/** Decides on calls or an answer. The same prompt, tools and script give the same reply. */
export function reply({ prompt, tools, toolChoice }: LanguageModelV4CallOptions, script: DemoScript): Reply {
  const offered = toolChoice?.type === 'none' ? [] : (tools ?? []).map(described)
  const examples = examplesOf(script, offered)
  const readOnly = new Set(examples.flatMap(({ call, readOnly: only }) => (only ? [call] : [])))
  const reading = readConversation(prompt, offered, (tool) => readOnly.has(tool))
  const { conversation } = reading
  const { outcomes, answered } = conversation

  const scripted = scriptedReply(script, conversation)
  const { calls = [], text = '', thought = '' } = scripted ?? {}
  if (calls.length > 0)
    return { reasoning: thought, calls: numbered(calls, reading), text: remainder(text, answered) }
  if (scripted?.introduction === false) return { reasoning: '', calls: [], text: remainder(text, answered) }
  if (scripted) return { reasoning: '', calls: [], text: signed(text, reading) }
  if (outcomes.length > 0) {
    const summaries = outcomes.map(({ summary }) => summary).join('\n\n')
    return { reasoning: '', calls: [], text: signed(summaries, reading) }
  }
  const words = talk(conversation, examples)
  return { reasoning: answered === '' ? words.thought : '', calls: [], text: signed(words.text, reading) }
}

function described(tool: Tools[number]): DemoTool {
  if (tool.type === 'provider') return { name: tool.name, description: '', inputSchema: {} }
  return { name: tool.name, description: tool.description ?? '', inputSchema: tool.inputSchema as Json }
}

function numbered(all: readonly DemoCall[], { calls }: Reading): Call[] {
  return all.map(({ tool, input }, index) => ({
    id: `offline_call_${calls + index + 1}`,
    tool,
    input: JSON.stringify(input),
  }))
}

/** The answer, or what is left of it after a crash. The first answer of a thread ends with the introduction. */
function signed(text: string, { introduced, conversation: { language, answered } }: Reading): string {
  const whole = introduced || introducesItself(text) ? text : `${text}\n\n${introduction[language]}`
  return remainder(whole, answered)
}

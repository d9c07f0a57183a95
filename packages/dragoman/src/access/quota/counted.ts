import { noUsage, type LogEntry, type RunEvent, type Usage } from '../events/index.ts'
import type { PartUse } from './tables.ts'

/** What a run has used, by what it was used for. */
export type Counted = { readonly usage: Usage; readonly parts: readonly Omit<PartUse, 'run_id'>[] }

/** With which a run's agent switches to a skill: S3-21. */
const USE_SKILL = 'use_skill'
/** Names are told by models: what is longer is none of ours. */
const LONGEST = 100

/**
 * Counts an ended run by the structure of its log; nothing where that has no end. Tokens of a step that was cut off, and are only in the
 * run's sum, are its model's.
 */
export function countedIn(entries: readonly LogEntry[]): Counted | undefined {
  const parts = new Map<string, Omit<PartUse, 'run_id'>>()
  const add = (
    kind: PartUse['kind'],
    name: string,
    { inputTokens, outputTokens }: Usage,
    times = 1,
  ): void => {
    const short = name.slice(0, LONGEST)
    const key = `${kind} ${short}`
    const was = parts.get(key) ?? { kind, name: short, times: 0, input_tokens: 0, output_tokens: 0 }
    parts.set(key, {
      ...was,
      times: was.times + times,
      input_tokens: was.input_tokens + inputTokens,
      output_tokens: was.output_tokens + outputTokens,
    })
  }
  const calls = new Map<string, Called>()
  let model: string | undefined
  let usage: Usage | undefined
  for (const { event } of entries) {
    if (event.type === 'step.started') model = event.model
    if (event.type === 'step.finished') add('model', model ?? '', event.usage)
    if (event.type === 'tool.called') {
      calls.set(event.callId, event)
      add('tool', event.tool, noUsage)
    }
    if (event.type === 'tool.returned' || event.type === 'tool.failed') {
      const call = calls.get(event.callId)
      if (call) add('tool', call.tool, event.usage ?? noUsage, 0)
      const skills = event.type === 'tool.returned' ? skillsIn(call) : []
      skills.forEach((skill) => add('skill', skill, noUsage))
    }
    if ('usage' in event && event.type.startsWith('run.')) usage = event.usage
  }
  if (!usage) return undefined
  const rest = left(usage, [...parts.values()])
  if (model !== undefined && rest.inputTokens + rest.outputTokens > 0) add('model', model, rest)
  return { usage, parts: [...parts.values()] }
}

type Called = Extract<RunEvent, { type: 'tool.called' }>

function skillsIn(call: Called | undefined): readonly string[] {
  if (call?.tool !== USE_SKILL) return []
  const { input } = call
  const named = typeof input === 'object' && input !== null && 'skills' in input ? input['skills'] : []
  return Array.isArray(named) ? [...new Set(named.filter((name) => typeof name === 'string'))] : []
}

/** What of the whole is in no part. */
function left(whole: Usage, parts: Counted['parts']): Usage {
  const known = (field: 'input_tokens' | 'output_tokens') => parts.reduce((sum, part) => sum + part[field], 0)
  return {
    inputTokens: Math.max(0, whole.inputTokens - known('input_tokens')),
    outputTokens: Math.max(0, whole.outputTokens - known('output_tokens')),
  }
}

import {
  noUsage,
  readUsage,
  type Json,
  type LogEntry,
  type RunEvent,
  type Usage,
} from '../../events/index.ts'
import type { UsagePartRow } from './usage-rows.ts'

/** The usage of a run, in total and by model, tool and skill. */
export type RunCount = {
  readonly usage: Usage
  readonly parts: readonly Omit<UsagePartRow, 'run_id'>[]
  /** Whether it counts as no run: it has failed, and no model has taken or given a token for it. */
  readonly isFree: boolean
}

/** Logs of earlier versions may hold any number. This bound keeps sums over many runs exact. */
export const MAX_RUN_TOKENS = 10_000_000_000

/** The names of the skills that a tool call has switched to, for reports of usage. */
export type SkillsUsed = (call: { readonly tool: string; readonly input: Json }) => readonly string[]

/** Models make up names. Longer ones are cut. */
export const MAX_NAME_LENGTH = 100

/**
 * Counts an ended run from the structure of its log. Undefined if the log has no end. Tokens that only the run's
 * total contains belong to the model of the interrupted step.
 */
export function countRunUsage(entries: readonly LogEntry[], skillsUsed?: SkillsUsed): RunCount | undefined {
  const parts = new Map<string, Omit<UsagePartRow, 'run_id'>>()
  const add = (kind: UsagePartRow['kind'], name: string, reported: Usage, times = 1): void => {
    const { inputTokens, outputTokens } = readUsage(reported, MAX_RUN_TOKENS)
    const short = name.slice(0, MAX_NAME_LENGTH)
    const key = `${kind} ${short}`
    const previous = parts.get(key) ?? { kind, name: short, times: 0, input_tokens: 0, output_tokens: 0 }
    parts.set(key, {
      ...previous,
      times: previous.times + times,
      input_tokens: previous.input_tokens + inputTokens,
      output_tokens: previous.output_tokens + outputTokens,
    })
  }
  const calls = new Map<string, ToolCalled>()
  let model: string | undefined
  let usage: Usage | undefined
  let hasFailed = false
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
      const skills = (event.type === 'tool.returned' && call && skillsUsed?.(call)) || []
      new Set(skills).forEach((skill) => add('skill', skill, noUsage))
    }
    if (event.type === 'run.failed') hasFailed = true
    if ('usage' in event && event.type.startsWith('run.')) usage = readUsage(event.usage, MAX_RUN_TOKENS)
  }
  if (!usage) return undefined
  const rest = uncountedUsage(usage, [...parts.values()])
  if (model !== undefined && rest.inputTokens + rest.outputTokens > 0) add('model', model, rest)
  const tokens = [...parts.values()].reduce((sum, part) => sum + part.input_tokens + part.output_tokens, 0)
  return { usage, parts: [...parts.values()], isFree: hasFailed && tokens === 0 }
}

type ToolCalled = Extract<RunEvent, { type: 'tool.called' }>

/** The part of the total that no part contains. */
function uncountedUsage(whole: Usage, parts: RunCount['parts']): Usage {
  const sumOf = (field: 'input_tokens' | 'output_tokens') => parts.reduce((sum, part) => sum + part[field], 0)
  return {
    inputTokens: Math.max(0, whole.inputTokens - sumOf('input_tokens')),
    outputTokens: Math.max(0, whole.outputTokens - sumOf('output_tokens')),
  }
}

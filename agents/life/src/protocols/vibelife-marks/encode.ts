import { isJsonObject, type Json, type LogEntry, type RunEvent } from 'dragoman/events'
import { dataStream, type Encoder, type EncoderStart } from 'dragoman/protocols'
import type { Language, Phrase } from '../../language.ts'
import { withWords } from './marked-result.ts'
import { toolMark } from './tool-mark.ts'

/** What a page shows while the agent works. */
type Phase = 'analyzing' | 'skill_activate' | 'tool_call' | 'complete'

const CONTENTS: Readonly<Record<Phase | 'again', Phrase>> = {
  analyzing: { zh: '正在分析您的问题...', en: 'Thinking about your question...' },
  again: { zh: '继续思考...', en: 'Thinking further...' },
  skill_activate: { zh: '正在启用技能...', en: 'Switching to a skill...' },
  tool_call: { zh: '正在准备内容...', en: 'Preparing what to show...' },
  complete: { zh: '分析完成', en: 'Done' },
}

/** The steps so far, and the tools of calls without an outcome. */
type Memory = { steps: number; readonly tools: Map<string, string> }

/** Writes a run's log as the AI SDK's data stream, with marks in the text and lines of what is being done. */
export function encoder(start: EncoderStart): Encoder {
  const inner = dataStream.encoder(start)
  const language = languageOf(start.run.request.context)
  const memory: Memory = { steps: 0, tools: new Map() }
  const clientCalls = new Set<string>()
  return (entry) => {
    const before = thinkingBefore(entry.event, memory, language)
    const frames = inner(entryWithWords(entry, clientCalls))
    const mark = markOf(entry, memory)
    advance(memory, entry.event)
    return [...before, ...frames, ...(mark === undefined ? [] : [`0:${JSON.stringify(mark)}`])]
  }
}

/** The output of a client tool comes back as the client gave it. */
function entryWithWords(entry: LogEntry, clientCalls: Set<string>): LogEntry {
  const { event } = entry
  if (event.type === 'tool.answered' && event.answer.kind === 'output') clientCalls.add(event.callId)
  if (event.type !== 'tool.returned' || clientCalls.delete(event.callId)) return entry
  return { ...entry, event: withWords(event) }
}

function thinkingBefore(event: RunEvent, { steps }: Memory, language: Language): string[] {
  const line = (step: number, phase: Phase, content: Phrase): string[] => {
    const isComplete = phase === 'complete'
    const thinking = { id: `think_${step}`, phase, content: content[language], iteration: step }
    return [`2:${JSON.stringify(['thinking', { ...thinking, is_complete: isComplete }])}`]
  }
  const current = Math.max(steps - 1, 0)
  if (event.type === 'step.started')
    return line(steps, 'analyzing', steps === 0 ? CONTENTS.analyzing : CONTENTS.again)
  if (event.type === 'tool.called') {
    const phase = event.tool === 'use_skill' ? 'skill_activate' : 'tool_call'
    return line(current, phase, CONTENTS[phase])
  }
  return event.type === 'run.finished' ? line(current, 'complete', CONTENTS.complete) : []
}

function markOf({ event }: LogEntry, { tools }: Memory): string | undefined {
  if (event.type !== 'tool.returned') return undefined
  return toolMark(tools.get(event.callId) ?? 'tool', event.output ?? null, event.text)
}

function advance(memory: Memory, event: RunEvent): void {
  if (event.type === 'step.started') memory.steps += 1
  if (event.type === 'tool.called') memory.tools.set(event.callId, event.tool)
  if (event.type === 'tool.returned' || event.type === 'tool.failed') memory.tools.delete(event.callId)
}

function languageOf(context: Json): Language {
  return isJsonObject(context) && context['language'] === 'en' ? 'en' : 'zh'
}

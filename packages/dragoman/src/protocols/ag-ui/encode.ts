import { isStructural, type LogEntry, type RunEvent } from '../../events/index.ts'
import type { Begun, Encoder } from '../protocol.ts'
import { soFar } from '../so-far.ts'
import { callWords } from './calls.ts'
import { ends, endWords, toTokenUsage } from './ends.ts'
import { beginWriting, changeState, type Writing } from './memory.ts'
import { openingWords } from './opening.ts'
import { beginStep, joinedWords, spokenWords, stepNamed } from './speech.ts'
import type { Profile } from './view.ts'
import type { AgUiEvent, AgUiWord } from './wire.ts'

/** Writes a run's log as AG-UI events. Where the client's run ends while ours waits, the next thing to say begins another. */
export function encoder(begun: Begun, profile: Profile): Encoder {
  const writing = beginWriting(begun, profile)
  return (entry) =>
    written(entry, writing).map((word) =>
      JSON.stringify({ ...word, timestamp: entry.at } satisfies AgUiEvent),
    )
}

function written(entry: LogEntry, writing: Writing): AgUiWord[] {
  const { memory } = writing
  const { event } = entry
  const before = memory.state
  const said = wordsOf(entry, writing)
  memory.soFar = soFar(memory.soFar, event)
  if (isStructural(event)) memory.structural += 1
  const isEnd = ends(entry, writing)
  const begins = event.type === 'run.started' || said.length > 0 || isEnd
  const opening = begins && memory.runId === undefined ? openingWords(entry, before, writing) : []
  const words = [...opening, ...said, ...(isEnd ? endWords(entry, writing) : [])]
  if (isEnd) memory.runId = undefined
  return words
}

function wordsOf(entry: LogEntry, writing: Writing): AgUiWord[] {
  const { event } = entry
  switch (event.type) {
    case 'step.started':
      return beginStep(writing)
    case 'step.finished':
      return [finishedStep(event, writing)]
    case 'text.started':
    case 'text.delta':
    case 'text.ended':
    case 'reasoning.started':
    case 'reasoning.delta':
    case 'reasoning.ended':
      return spokenWords(entry, event, writing)
    case 'tool.started':
    case 'tool.delta':
    case 'tool.called':
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'tool.returned':
    case 'tool.failed':
      return callWords(entry, event, writing)
    case 'data': {
      const { name, id, value } = event
      return [{ type: 'CUSTOM', name, value, ...(id !== undefined && { metadata: { id } }) }]
    }
    case 'state.changed':
      return stateWords(event, writing)
    case 'user.joined':
      return joinedWords(event, writing)
    // How the client's run begins and ends comes before and after all else of an entry.
    case 'run.started':
    case 'run.waiting':
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled':
    case 'run.resumed':
    case 'run.stop-requested':
      return []
  }
}

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

/** Those of 1.0 take further fields as metadata alone. */
function finishedStep({ reason, usage }: Of<'step.finished'>, { memory, profile }: Writing): AgUiWord {
  const named = { type: 'STEP_FINISHED', ...stepNamed(memory.steps - 1, profile) } as const
  const told = { usage: toTokenUsage(usage), finishReason: reason }
  return profile === 'agui-1.0' ? { ...named, metadata: told } : { ...named, ...told }
}

/** What a client sets while its run waits is in the snapshot with which the next part begins. */
function stateWords({ patch, by }: Of<'state.changed'>, { memory }: Writing): AgUiWord[] {
  const isBetween = by !== undefined && memory.runId === undefined
  if (!changeState(memory, patch) || isBetween) return []
  return patch.some(({ path }) => path === '')
    ? [{ type: 'STATE_SNAPSHOT', snapshot: memory.state }]
    : [{ type: 'STATE_DELTA', delta: patch }]
}

import type { Json, RunEvent } from 'dragoman/events'
import { toUserMessageData } from 'dragoman/protocols'
import { toCallChanges, toRequest } from './calls.ts'
import { addMessage, beginText, endText, type Change, type Memory } from './memory.ts'
import { toNotice } from './notice.ts'

/** What an event changes among the messages of its run. */
export function changesOf(memory: Memory, event: RunEvent, showThinking: boolean): readonly Change[] {
  switch (event.type) {
    case 'text.started':
      return beginText(memory, 'content')
    case 'reasoning.started':
      return showThinking ? beginText(memory, 'thinking') : []
    case 'text.delta':
    case 'reasoning.delta':
      return memory.spoken ? [{ ...memory.spoken, value: event.delta, status: 'generating' }] : []
    case 'text.ended':
    case 'reasoning.ended':
      return endText(memory)
    case 'tool.started':
    case 'tool.called':
      return toRequest(memory, event)
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'tool.returned':
    case 'tool.failed':
      return toCallChanges(memory, event)
    case 'data':
      return event.transient ? [] : show(memory, event)
    case 'user.joined':
      return show(memory, { name: 'user-message', ...toDatum(event) })
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled': {
      const notice = toNotice(event)
      return notice ? addMessage(memory, notice, 'generated') : []
    }
    case 'run.started':
    case 'run.waiting':
    case 'run.resumed':
    case 'run.stop-requested':
    case 'state.changed':
    case 'step.started':
    case 'step.finished':
    case 'tool.delta':
      return []
  }
}

function toDatum(event: Parameters<typeof toUserMessageData>[0]): { id: string; value: Json } {
  const { id, data } = toUserMessageData(event)
  return { id, value: data }
}

type Shown = { readonly name: string; readonly id?: string; readonly value: Json }

/** One with an id takes the place of the one that had it. */
function show(memory: Memory, { name, id, value: data }: Shown): readonly Change[] {
  const key = JSON.stringify([name, id])
  const known = id === undefined ? undefined : memory.data.get(key)
  const said = { type: 'data', value: { name, ...(id !== undefined && { id }), data } } as const
  if (known !== undefined) return [{ ...said, index: known, status: 'generated' }]
  if (id !== undefined) memory.data.set(key, memory.count)
  return addMessage(memory, said, 'generated')
}

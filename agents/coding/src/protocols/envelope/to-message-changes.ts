import type { Json, RunEvent } from 'dragoman/events'
import { toUserMessageData } from 'dragoman/protocols'
import { toCallChanges, toCallRequest } from './tool-call-changes.ts'
import { addMessage, beginText, endText, type Change, type EncoderState } from './encoder-state.ts'
import type { EnvelopeView } from './envelope-view.ts'
import { toPageChange } from './original-page.ts'
import { toRunEndNotice } from '../run-end-notice.ts'

type Options = Pick<EnvelopeView, 'showThinking' | 'originalPage'>

/** What an event changes among the messages of its run. */
export function toMessageChanges(
  state: EncoderState,
  event: RunEvent,
  { showThinking, originalPage }: Options,
): readonly Change[] {
  const changes = toChanges(state, event, showThinking)
  return originalPage ? changes.map((change) => toPageChange(change)) : changes
}

function toChanges(state: EncoderState, event: RunEvent, showThinking: boolean): readonly Change[] {
  switch (event.type) {
    case 'text.started':
      return beginText(state, 'content')
    case 'reasoning.started':
      return showThinking ? beginText(state, 'thinking') : []
    case 'text.delta':
    case 'reasoning.delta':
      return state.openText ? [{ ...state.openText, value: event.delta, status: 'generating' }] : []
    case 'text.ended':
    case 'reasoning.ended':
      return endText(state)
    case 'tool.started':
    case 'tool.called':
      return toCallRequest(state, event)
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
    case 'tool.progressed':
    case 'tool.returned':
    case 'tool.failed':
      return toCallChanges(state, event)
    case 'data':
      return event.transient ? [] : setData(state, event)
    case 'source': {
      const { type: name, sourceId: id, provider: _, ...value } = event
      return setData(state, { name, id, value })
    }
    case 'file': {
      const { type: name, url, mediaType } = event
      return event.kind === 'output' ? setData(state, { name, value: { url, mediaType } }) : []
    }
    case 'user.joined':
      return setData(state, { name: 'user-message', ...toDatum(event) })
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled': {
      const notice = toRunEndNotice(event)
      return notice ? addMessage(state, notice, 'generated') : []
    }
    case 'run.started':
    case 'run.waiting':
    case 'run.resumed':
    case 'run.stop-requested':
    case 'custom':
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

type NamedData = { readonly name: string; readonly id?: string; readonly value: Json }

/** Data with an id replaces earlier data with the same id. */
function setData(state: EncoderState, { name, id, value: data }: NamedData): readonly Change[] {
  const key = JSON.stringify([name, id])
  const index = id === undefined ? undefined : state.data.get(key)
  const content = { type: 'data', value: { name, ...(id !== undefined && { id }), data } } as const
  if (index !== undefined) return [{ ...content, index, status: 'generated' }]
  if (id !== undefined) state.data.set(key, state.count)
  return addMessage(state, content, 'generated')
}

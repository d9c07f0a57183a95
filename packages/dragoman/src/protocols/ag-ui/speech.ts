import type { LogEntry, PartEvent, RunEvent } from '../../events/index.ts'
import { toJoined } from '../joined.ts'
import { deltasBefore, messageIdOf, type Writing } from './memory.ts'
import { isOwnMessage, reasoningId } from './names.ts'
import type { AgUiWord } from './wire.ts'

/** What stands between two texts of one message: so they are joined everywhere. */
const BETWEEN = '\n\n'

/** No delta is empty: the clients before 0.0.59 refuse such a one. */
export function spokenWords(entry: LogEntry, event: PartEvent, writing: Writing): AgUiWord[] {
  const { run, profile, memory } = writing
  switch (event.type) {
    case 'text.started':
      return beginText(entry, writing)
    case 'text.delta': {
      const { delta } = event
      const messageId = messageIdOf(writing)
      if (profile === 'use-ai') memory.text += delta
      return delta === '' ? [] : [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta }]
    }
    case 'text.ended':
      return endText(entry, writing)
    case 'reasoning.started': {
      memory.reasonings += 1
      const messageId = reasoningId(run.messageId, memory.reasonings)
      return [
        { type: 'REASONING_START', messageId },
        { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
      ]
    }
    case 'reasoning.delta': {
      const { delta } = event
      const messageId = reasoningId(run.messageId, memory.reasonings)
      return delta === '' ? [] : [{ type: 'REASONING_MESSAGE_CONTENT', messageId, delta }]
    }
    case 'reasoning.ended': {
      const messageId = reasoningId(run.messageId, memory.reasonings)
      return [
        { type: 'REASONING_MESSAGE_END', messageId },
        { type: 'REASONING_END', messageId },
      ]
    }
  }
}

function beginText(entry: LogEntry, writing: Writing): AgUiWord[] {
  const { profile, memory } = writing
  const messageId = messageIdOf(writing)
  const isOpen = profile === 'use-ai' && memory.hasText
  memory.textDeltas = deltasBefore(entry, memory)
  memory.hasText = true
  if (profile === 'use-ai' && memory.hasWords) memory.text += BETWEEN
  return [
    ...(isOpen ? [] : [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' } as const]),
    ...(memory.hasWords ? [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta: BETWEEN } as const] : []),
  ]
}

/** The one message of a run in use-ai ends with it. */
function endText(entry: LogEntry, writing: Writing): AgUiWord[] {
  const { profile, memory } = writing
  memory.hasWords ||= deltasBefore(entry, memory) > memory.textDeltas
  const messageId = messageIdOf(writing)
  return profile === 'use-ai' ? [] : [{ type: 'TEXT_MESSAGE_END', messageId }]
}

/** A step's texts are one message; in use-ai all of the run's are. */
export function beginStep({ memory, profile }: Writing): AgUiWord[] {
  const number = memory.steps
  memory.steps += 1
  memory.hasWords &&= profile === 'use-ai'
  return [{ type: 'STEP_STARTED', ...stepNamed(number, profile) }]
}

/** Those of 1.0 warn of fields that they do not know. */
export function stepNamed(
  number: number,
  profile: Writing['profile'],
): { stepName: string; stepNumber?: number } {
  return { stepName: `step-${number}`, ...(profile !== 'agui-1.0' && { stepNumber: number }) }
}

type Joined = Extract<RunEvent, { type: 'user.joined' }>

/**
 * What its user says to a run that goes on is a message of theirs, which whoever has just posted it has; in use-ai, where a run has one
 * message, a datum.
 */
export function joinedWords(said: Joined, { run, view, profile }: Writing): AgUiWord[] {
  if (profile === 'use-ai') return [{ type: 'CUSTOM', name: 'user-message', value: toJoined(said).data }]
  if (isOwnMessage(run, view, said.key)) return []
  const { messageId: ours, clientId: messageId = ours, input } = said
  const delta = input.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(BETWEEN)
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'user' },
    ...(delta === '' ? [] : [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta } as const]),
    { type: 'TEXT_MESSAGE_END', messageId },
  ]
}

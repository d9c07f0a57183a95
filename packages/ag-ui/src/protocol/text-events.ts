import type { LogEntry, PartEvent, RunEvent } from 'dragoman/events'
import { toUserMessageData } from 'dragoman/protocols'
import { deltasBefore, messageIdOf, type EncoderContext } from './encoder-memory.ts'
import { isOwnMessage, reasoningId } from './client-ids.ts'
import { encodeEncryptedValue } from './encrypted-value.ts'
import type { AgUiEventBody } from './wire.ts'

/** The separator between two texts of one message, the same in all formats. */
const TEXT_SEPARATOR = '\n\n'

/** Never writes an empty delta: clients before 0.0.59 refuse it. */
export function encodeText(entry: LogEntry, event: PartEvent, context: EncoderContext): AgUiEventBody[] {
  const { run, profile, memory } = context
  switch (event.type) {
    case 'text.started':
      return encodeTextStart(entry, context)
    case 'text.delta': {
      const { delta } = event
      const messageId = messageIdOf(context)
      if (profile === 'use-ai') memory.text += delta
      return delta === '' ? [] : [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta }]
    }
    case 'text.ended':
      return encodeTextEnd(entry, context)
    case 'reasoning.started': {
      memory.reasoningCount += 1
      const messageId = reasoningId(run.messageId, memory.reasoningCount)
      return [
        { type: 'REASONING_START', messageId },
        { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
      ]
    }
    case 'reasoning.delta': {
      const { delta } = event
      const messageId = reasoningId(run.messageId, memory.reasoningCount)
      return delta === '' ? [] : [{ type: 'REASONING_MESSAGE_CONTENT', messageId, delta }]
    }
    case 'reasoning.ended': {
      const messageId = reasoningId(run.messageId, memory.reasoningCount)
      return [
        { type: 'REASONING_MESSAGE_END', messageId },
        ...encodeEncryptedValue(event.provider, { subtype: 'message', entityId: messageId }, profile),
        { type: 'REASONING_END', messageId },
      ]
    }
  }
}

function encodeTextStart(entry: LogEntry, context: EncoderContext): AgUiEventBody[] {
  const { profile, memory } = context
  const messageId = messageIdOf(context)
  const isOpen = profile === 'use-ai' && memory.hasText
  memory.textDeltas = deltasBefore(entry, memory)
  memory.hasText = true
  if (profile === 'use-ai' && memory.hasEarlierText) memory.text += TEXT_SEPARATOR
  return [
    ...(isOpen ? [] : [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' } as const]),
    ...(memory.hasEarlierText
      ? [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta: TEXT_SEPARATOR } as const]
      : []),
  ]
}

/** The one message of a run in use-ai ends with it. */
function encodeTextEnd(entry: LogEntry, context: EncoderContext): AgUiEventBody[] {
  const { profile, memory } = context
  memory.hasEarlierText ||= deltasBefore(entry, memory) > memory.textDeltas
  const messageId = messageIdOf(context)
  return profile === 'use-ai' ? [] : [{ type: 'TEXT_MESSAGE_END', messageId }]
}

/** A step's texts are one message; in use-ai all of the run's are. */
export function encodeStepStarted({ memory, profile }: EncoderContext): AgUiEventBody[] {
  const number = memory.steps
  memory.steps += 1
  memory.hasEarlierText &&= profile === 'use-ai'
  return [{ type: 'STEP_STARTED', ...stepFields(number, profile) }]
}

/** Those of 1.0 warn of fields that they do not know. */
export function stepFields(
  number: number,
  profile: EncoderContext['profile'],
): { stepName: string; stepNumber?: number } {
  return { stepName: `step-${number}`, ...(profile !== 'agui-1.0' && { stepNumber: number }) }
}

type UserMessageEvent = Extract<RunEvent, { type: 'user.joined' }>

/**
 * A user message during a run. The client that posted it already has it. In use-ai a run has one message, so it
 * becomes a data event.
 */
export function encodeUserMessage(
  event: UserMessageEvent,
  { run, view, profile }: EncoderContext,
): AgUiEventBody[] {
  if (profile === 'use-ai')
    return [{ type: 'CUSTOM', name: 'user-message', value: toUserMessageData(event).data }]
  if (isOwnMessage(run, view, event.key)) return []
  const { messageId: ownId, clientId: messageId = ownId, input } = event
  const delta = input.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(TEXT_SEPARATOR)
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'user' },
    ...(delta === '' ? [] : [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta } as const]),
    { type: 'TEXT_MESSAGE_END', messageId },
  ]
}

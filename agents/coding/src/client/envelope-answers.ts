import type { Envelope, StreamMessage } from '../protocols/envelope/wire.ts'

/** What a chat stream has answered so far. */
export type EnvelopeAnswer = Omit<Envelope, 'messages'> & { readonly messages: readonly ShownMessage[] }

/** A message with its whole text. `display` is `ready` when the message is complete, `completed` when the answer is. */
export type ShownMessage = StreamMessage & { readonly display: 'loading' | 'ready' | 'completed' }

/**
 * The answer after each envelope. `responseMode` is the mode of the request: increments are joined by message id.
 * Earlier answers never change. An unchanged message is the same object.
 */
export async function* envelopeAnswers(
  envelopes: AsyncIterable<Envelope>,
  responseMode: 'incremental' | 'full' = 'incremental',
): AsyncGenerator<EnvelopeAnswer, void, undefined> {
  const messages = new Map<string, ShownMessage>()
  for await (const envelope of envelopes) {
    for (const message of envelope.messages) {
      const { id, status, type } = message
      const previous = messages.get(id)
      // Only data may change after completion.
      if (previous?.status === 'generated' && type !== 'data') continue
      const isIncrement = responseMode !== 'full' && typeof message.value === 'string'
      const value = isIncrement && previous ? `${previous.value as string}${message.value}` : message.value
      const display = status === 'generated' ? 'ready' : 'loading'
      messages.set(id, { ...message, value, display } as ShownMessage)
    }
    if (envelope.msgStatus === 'finished')
      for (const [id, message] of messages) messages.set(id, { ...message, display: 'completed' })
    yield { ...envelope, messages: [...messages.values()] }
  }
}

import type { EngineHost } from '../agents/index.ts'
import type { UserMessage } from '../events/index.ts'
import type { AnswerBuilder } from './answer-builder.ts'

/** Takes the user messages that arrived in the meantime, and adds them to the answer. */
export async function takeUserMessages(
  host: EngineHost,
  answer: AnswerBuilder,
): Promise<readonly UserMessage[]> {
  const messages = await host.takeUserMessages()
  for (const { id: messageId, parts: input } of messages)
    answer.apply({ type: 'user.joined', messageId, input })
  return messages
}

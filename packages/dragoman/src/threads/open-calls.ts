import type { AssistantMessage, Question, ToolPart } from '../events/index.ts'

type OpenCall = ToolPart & { readonly question: Question }

/** The calls of an answer that wait for their user. */
export function openCalls({ status, parts }: AssistantMessage): OpenCall[] {
  if (status !== 'streaming' && status !== 'waiting') return []
  return parts.filter(
    (part): part is OpenCall => part.type === 'tool' && part.state === 'asked' && part.question !== undefined,
  )
}

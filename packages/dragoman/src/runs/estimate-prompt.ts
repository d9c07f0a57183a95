import type { Agent } from '../agents/index.ts'
import { newestTurns } from './newest-turns.ts'
import type { ResolvedRequest } from './resolve-request.ts'
import { toTurn } from './thread-position.ts'

const BYTES_PER_TOKEN = 4
/** A file is counted by models, and not by its size. Its words count as texts do. */
const FILE_BYTES = 6000

/**
 * The tokens that a request brings to its first model call, by an estimate that is quick for large requests too. What
 * the conversation holds already is not known before it is read.
 */
export function estimatePrompt(
  { message, fileWords = 0, context, state, tools, turns, history }: ResolvedRequest,
  { instructions }: Pick<Agent, 'instructions'>,
): number {
  const texts = message.parts.map((part) => (part.type === 'text' ? part.text : ''))
  const files = message.parts.filter(({ type }) => type === 'file').length
  const earlier = newestTurns(history?.flatMap(toTurn) ?? turns).map(({ text }) => text)
  const others = JSON.stringify([context, state, tools])
  const bytes = [instructions, others, ...texts, ...earlier].map((text) => Buffer.byteLength(text))
  return Math.ceil(bytes.reduce((sum, each) => sum + each, files * FILE_BYTES + fileWords) / BYTES_PER_TOKEN)
}

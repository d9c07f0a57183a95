import { normalForm } from 'dragoman/events'
import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import { createIsolatedWorker } from 'dragoman/isolate'
import { ServiceError } from 'dragoman/errors'
import type { Result, Sum } from './calculator-worker.ts'

const MAX_EXPRESSION_LENGTH = 1000
/** No sum that is meant takes a hundredth of it. */
const WITHIN_MS = 3_000

/**
 * Calculates an expression on its own thread.
 * @throws ServiceError `invalid-input` with the reason, `unavailable` if too many expressions wait
 */
const workedOut = createIsolatedWorker<Sum, Result>({
  module: new URL('./calculator-worker', import.meta.url),
  sizeOf: () => 1,
  limits: { waiting: 64, weight: 64, megabytes: 256 },
  timeoutMs: WITHIN_MS,
  refusals: {
    busy: 'Too much is being calculated at the moment.',
    slow: () => new ServiceError('invalid-input', 'The expression takes too long to work out.'),
    large: () => new ServiceError('invalid-input', 'The expression takes too much memory to work out.'),
  },
})

/** Lets the agent calculate. */
export const calculateTool: Tool = defineTool({
  name: 'calculate',
  description:
    'Works out an expression exactly, with 64 digits: 0.1 + 0.2, 8% of 250, 3 kg + 200 g, 100 km/h ' +
    'to m/s, sqrt(2), mean([1, 2, 3]), x = 3; x^2. Angles are in radians unless written as 30 deg. ' +
    'It knows no dates and no currencies.',
  inputSchema: z.object({ expression: z.string().min(1).max(MAX_EXPRESSION_LENGTH) }),
  idempotent: true,
  execute: async ({ expression }, { userId }) => {
    const { result, exact } = await workedOut(userId, { expression: plain(expression) })
    const text = `${expression.trim()} ${exact ? '=' : '≈'} ${result}`
    return toolResult({ output: { expression, result, exact }, text })
  },
})

/** Signs as people write them, put into those of the calculator. */
function plain(expression: string): string {
  const signs = normalForm(expression.replaceAll('²', '^2').replaceAll('³', '^3'), 'NFKC')
    .replaceAll(/[×✕⋅·]/g, '*')
    .replaceAll('÷', '/')
    .replaceAll(/[−–—]/g, '-')
    .replaceAll('π', ' pi ')
    .replaceAll(/√\s*(\d+(?:\.\d+)?)/g, 'sqrt($1)')
    .replaceAll('√', 'sqrt')
    .replaceAll(/%\s*of\b/gi, '% *')
    .replace(/(?:(?<!\s)\s+)?=\s*(?:\?\s*)?$/, '')
  // Where commas part nothing, they set off thousands.
  return /[a-z]\s*\(|[[;]/i.test(signs) ? signs : signs.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')
}

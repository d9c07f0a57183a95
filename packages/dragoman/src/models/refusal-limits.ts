import type { Refusal, Remedy } from './remedy.ts'

const MIN_OUTPUT_TOKENS = 256

/** The provider names its maximum of tokens, in any words. */
export function limitTokens({ words, request: { maxOutputTokens = Infinity } }: Refusal): Remedy | undefined {
  const numbers = numbersAfter(/max_?(?:completion_|output_|new_)?tokens/i, words)
  const limit = Math.min(...numbers.filter((each) => each >= MIN_OUTPUT_TOKENS))
  if (limit >= maxOutputTokens || limit === Infinity) return undefined
  return {
    name: 'maxOutputTokens',
    change: (options) => ({
      ...options,
      maxOutputTokens: Math.min(options.maxOutputTokens ?? limit, limit),
    }),
  }
}

const OF_LIMITS = /maxim|at most|up to|limit|exceed|too (?:many|long)/i
const MIN_DESCRIPTION = 64
const CUT = ' […]'

/** OpenAI takes descriptions of 1,024 letters. */
export function limitDescriptions({ words, request: { tools = [] } }: Refusal): Remedy | undefined {
  const numbers = OF_LIMITS.test(words) ? numbersAfter(/description/i, words) : []
  const limit = Math.min(...numbers.filter((each) => each >= MIN_DESCRIPTION))
  const isLong = (text = ''): boolean => text.length > limit
  if (!tools.some((tool) => tool.type === 'function' && isLong(tool.description))) return undefined
  return {
    name: 'descriptions',
    change: (options) => ({
      ...options,
      ...(options.tools && {
        tools: options.tools.map((tool) =>
          tool.type === 'function' && tool.description !== undefined && isLong(tool.description)
            ? { ...tool, description: cutText(tool.description, limit) }
            : tool,
        ),
      }),
    }),
  }
}

function cutText(text: string, length: number): string {
  const start = text.slice(0, length - CUT.length)
  return `${start.isWellFormed() ? start : start.slice(0, -1)}${CUT}`
}

const MIN_TOOLS = 16
const MAX_NAMES = 50

/** OpenAI takes 128 tools. The last are left out, and the process log names them. */
export function limitTools({ words, request, warn, model }: Refusal): Remedy | undefined {
  const { tools: { length } = [] } = request
  const numbers = OF_LIMITS.test(words) ? numbersAfter(/\btools?\b(?!\[)/i, words) : []
  const limit = Math.max(...numbers.filter((each) => each >= MIN_TOOLS && each < length))
  if (limit === -Infinity) return undefined
  return {
    name: 'tools',
    change(options) {
      const { tools = [] } = options
      if (tools.length <= limit) return options
      const rest = tools.slice(limit).map(({ name }) => name)
      const names = `${rest.slice(0, MAX_NAMES).join(', ')}${rest.length > MAX_NAMES ? ', …' : ''}`
      warn(
        `The model ${model} takes ${limit} tools, and does not get ${rest.length} of ${tools.length}: ${names}.`,
      )
      return { ...options, tools: tools.slice(0, limit) }
    },
  }
}

function numbersAfter(pattern: RegExp, words: string): number[] {
  const found = pattern.exec(words)
  if (!found) return []
  const rest = words.slice(found.index + found[0].length).replaceAll(/(?<=\d),(?=\d{3}\b)/g, '')
  return Array.from(rest.matchAll(/(?<![-\w.])\d+(?![-\w]|\.\d)/g), Number)
}

import type { DemoLanguage, DemoTool } from 'dragoman/agents'
import type { Intent } from './tool-rule.ts'
import { filled } from './filling.ts'
import { chineseDeed, chineseFor, contentWords, deedIn, deedOf, pairsOf, wordsOfName } from './page-words.ts'

/** A use of a tool that the rules know nothing of but what it says of itself. */
export type Use = Intent & {
  readonly tool: string
  /** That nothing but the deed speaks for it. */
  readonly isGuess: boolean
}

/** `whole`: the request of which the words are a part. */
type Asked = { readonly words: string; readonly whole: string }

/** Deeds that are meant by their word alone, where one tool does them. */
const PLAIN: ReadonlySet<string> = new Set(['add', 'remove', 'complete', 'set', 'open', 'send'])

const politeness =
  /^(?:(?:please|now|then|also|and|can you|could you|would you|will you|i want (?:you )?to|i(?:'d| would) like (?:you )?to|i need (?:you )?to|let's|go ahead and)\s+)+/i

/** Finds the tool that a wish is for, by the words of its name and its description, and fills its input from the rest. */
export function useOf(
  wish: string,
  language: DemoLanguage,
  tools: readonly DemoTool[],
  whole: string = wish,
): Use | undefined {
  const words = wish
    .trim()
    .replace(politeness, '')
    .replace(/[\s.!?。！？]+$/u, '')
  if (words === '') return undefined
  const asked = { words, whole }
  const named = tools.find(({ name }) => new RegExp(`(?<![\\w.])${escaped(name)}(?!\\w)`).test(words))
  const ranked = tools
    .map((tool) => ({ tool, worth: tool === named ? Infinity : worthOf(tool, asked, tools) }))
    .filter(({ worth }) => worth > 0)
    .toSorted((a, b) => b.worth - a.worth)
  for (const { tool, worth } of ranked) {
    const input = filled(tool, { words, language })
    if (input)
      return {
        tool: tool.name,
        input,
        thought: thoughtOf(tool.name, language),
        isGuess: worth === BARE,
      }
  }
  return undefined
}

function worthOf(tool: DemoTool, asked: Asked, all: readonly DemoTool[]): number {
  const name = wordsOfName(tool.name)
  const wanted = deedIn(asked.words) ?? asked.words.toLowerCase().match(/[a-z]+/)?.[0]
  const own = deedsOf(tool)
  const fits = wanted !== undefined && own.includes(wanted)
  if (own.length > 0 && !fits) return 0
  const things = name.filter((word) => (deedOf(word) ?? word) !== own[0])
  const { hits, likeness } =
    [asked.words, asked.whole]
      .map((words) => likenessOf(tool, things, words))
      .find((found) => found.hits + found.likeness > 0) ?? NONE
  if (own.length === 0) return hits > 0 ? hits * 3 + likeness : 0
  if (hits + likeness > 0) return BARE + hits * 3 + likeness
  const isPlain = wanted !== undefined && PLAIN.has(wanted)
  return isPlain && all.filter((other) => deedsOf(other).includes(wanted)).length === 1 ? BARE : 0
}

/** What it is worth that the deed fits. */
const BARE = 4
const NONE = { hits: 0, likeness: 0 }

/** How many of the things that a tool is named for a request speaks of, and how many words of its description. */
function likenessOf({ description }: DemoTool, things: readonly string[], words: string) {
  const hits = things.filter((thing) => speaksOf(words, thing)).length
  return { hits, likeness: Math.min(3, alike(description, words)) }
}

/** What a tool does, by its name: else, where that is only things, by its description. */
function deedsOf({ name, description }: DemoTool): string[] {
  const words = wordsOfName(name)
  const known = words.flatMap((word) => deedOf(word) ?? [])
  if (known.length > 0) return known.slice(0, 1)
  const told = chineseDeed(description)?.deed
  if (told !== undefined) return [told]
  return words.length > 1 && words[0] !== undefined ? words.slice(0, 1) : []
}

function speaksOf(words: string, thing: string): boolean {
  return (
    contentWords(words).includes(contentWords(thing)[0] ?? thing) ||
    chineseFor(thing).some((word) => words.includes(word))
  )
}

/** How many words of a description stand in a request. */
function alike(description: string, words: string): number {
  const all = contentWords(words)
  const first = all.findIndex((word) => deedOf(word) !== undefined)
  const said = new Set(all.filter((word, at) => at !== first && word.length > 2))
  const pairs = new Set(pairsOf(words))
  const told = [...new Set([...contentWords(description), ...pairsOf(description)])]
  return told.filter((word) => said.has(word) || pairs.has(word)).length
}

function thoughtOf(tool: string, language: DemoLanguage): string {
  return { en: `${tool} is for that; I will call it.`, zh: `这件事可以用 ${tool} 来做，我来调用它。` }[
    language
  ]
}

function escaped(name: string): string {
  return name.replaceAll(/[^\w]/g, '\\$&')
}

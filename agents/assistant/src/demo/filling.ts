import type { DemoLanguage, DemoTool } from 'dragoman/agents'
import { isJsonObject, type Json } from 'dragoman/events'
import { objectOf, quotesIn, quotesOut } from './objects.ts'
import { chineseFor, wordsOfName } from './page-words.ts'

type Field = {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly choices: readonly Json[]
  readonly fallback: Json | undefined
}

type Said = {
  readonly words: string
  /** What is in quotes, not yet used, and numbers. */
  readonly quotes: string[]
  readonly numbers: number[]
  /** What is left of the words without the deed and where it is to be done. */
  readonly object: string
}

/** The input that a request means for a tool: undefined where something is required that it does not say. */
export function filled(
  tool: DemoTool,
  { words, language }: { words: string; language: DemoLanguage },
): Record<string, Json> | undefined {
  const fields = fieldsOf(tool.inputSchema)
  const said: Said = {
    words,
    quotes: quotesIn(words),
    numbers: numbersIn(quotesOut(words)),
    object: objectOf(words, tool.name, language),
  }
  const input: Record<string, Json> = {}
  for (const field of fields) {
    const value = named(field, said) ?? chosen(field, said)
    if (value !== undefined) input[field.name] = value
  }
  const wanted = fields.filter(({ required }) => required || fields.length === 1)
  for (const field of wanted) {
    const value = input[field.name] ?? guessed(field, said) ?? field.fallback
    if (value !== undefined) input[field.name] = value
    else if (field.required) return undefined
  }
  return input
}

function fieldsOf(schema: Json): Field[] {
  if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return []
  const { required = [] } = schema
  return Object.entries(schema['properties']).map(([name, told]) => {
    const field = isJsonObject(told) ? told : {}
    const { type = null } = field
    const types = [type].flat().filter((each) => typeof each === 'string')
    return {
      name,
      type: types.find((each) => each !== 'null') ?? 'string',
      required: Array.isArray(required) && required.includes(name),
      choices: Array.isArray(field['enum']) ? (field['enum'] as readonly Json[]) : [],
      fallback: field['default'],
    }
  })
}

/** “priority: high”, “with the title ‘Tea’”, “数量 3”. */
function named({ name, type, choices }: Field, { words }: Said): Json | undefined {
  if (choices.length > 0) return undefined
  const spaced = wordsOfName(name).join('[\\s_-]*')
  const names = [spaced, ...chineseFor(name)].filter((each) => each !== '').join('|')
  if (names === '') return undefined
  const value = /(?:"([^"]+)"|“([^”]+)”|「([^」]+)」|'([^']+)'|`([^`]+)`|([^\s,，;；。"“「'`]+))/.source
  const english = new RegExp(
    `(?:^|[\\s,，;；(])(?:${names})\\s*(?:[:：=]|\\b(?:is|as|of|called)\\b|(?=["“「'\`])|为|是)\\s*${value}`,
    'iu',
  )
  const found = english
    .exec(words)
    ?.slice(1)
    .find((each) => each !== undefined)
  return found === undefined ? undefined : typed(type, found)
}

/** One of its choices, where the words name one. */
function chosen({ choices }: Field, { words }: Said): Json | undefined {
  const lower = words.toLowerCase()
  return choices.find((choice) => {
    const word = (typeof choice === 'string' ? choice : JSON.stringify(choice)).toLowerCase()
    const inWords = new RegExp(
      `(?<![a-z])${word.replaceAll(/[^\w]/g, '\\$&').replaceAll(/[_-]/g, '[\\s_-]')}(?![a-z])`,
    )
    return inWords.test(lower) || (CHINESE.get(word) ?? []).some((each) => words.includes(each))
  })
}

const CHINESE: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    dark: ['深色', '暗色', '黑暗', '夜间'],
    light: ['浅色', '亮色', '日间'],
    high: ['高'],
    medium: ['中'],
    low: ['低'],
    red: ['红'],
    blue: ['蓝'],
    green: ['绿'],
    yellow: ['黄'],
    black: ['黑'],
    white: ['白'],
    done: ['完成'],
    on: ['打开', '开启'],
    off: ['关闭', '关掉'],
  }),
)

function guessed({ name, type, choices }: Field, said: Said): Json | undefined {
  const { words, quotes, numbers, object } = said
  if (choices.length > 0) return undefined
  switch (type) {
    case 'string': {
      const quote = quotes.shift()
      if (quote !== undefined) return quote
      if (/id$/i.test(name) && numbers.length > 0) return String(numbers.shift())
      return object === '' ? undefined : object
    }
    case 'number':
    case 'integer':
      return numbers.shift()
    case 'boolean':
      return !/\b(?:off|false|no|not|disable|un\w+)\b|关|取消|不/i.test(words)
    case 'array':
      return quotes.length > 0
        ? quotes.splice(0)
        : object.split(/\s*(?:,|，|、|\band\b|和)\s*/).filter((each) => each !== '')
    default:
      return undefined
  }
}

function typed(type: string, text: string): Json | undefined {
  if (type === 'number' || type === 'integer') return numbersIn(text)[0]
  if (type === 'boolean') return /^(?:true|yes|on|是)$/i.test(text)
  return type === 'string' ? text : undefined
}

const DIGITS = '零一二三四五六七八九十'

function numbersIn(text: string): number[] {
  const found = text.matchAll(
    /(?<![\w.])-?\d+(?:\.\d+)?(?![\w])|第?([一二两三四五六七八九十])(?=[个项条件份次张杯])/gu,
  )
  return [...found].map(([whole, chinese]) =>
    chinese ? DIGITS.indexOf(chinese.replace('两', '二')) : Number(whole),
  )
}

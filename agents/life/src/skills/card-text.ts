import { isJsonObject, type Json } from 'dragoman/events'
import type { Language, Phrase } from '../language.ts'
import type { SkillCard } from './skill.ts'

const yes: Phrase = { zh: '是', en: 'yes' }
const no: Phrase = { zh: '否', en: 'no' }
const colon: Phrase = { zh: '：', en: ': ' }
const MAX_DEPTH = 8

/** A card in words for a reader who sees no card: a line for each field, by the title that the schema gives it. */
export function cardText(parameters: SkillCard['parameters'], data: Json, language: Language): string {
  return linesOf(data, { schema: parameters, language, depth: 0 }).join('\n')
}

type Place = { readonly schema: Json | undefined; readonly language: Language; readonly depth: number }

function linesOf(value: Json, place: Place): string[] {
  const { schema, language, depth } = place
  if (depth > MAX_DEPTH) return ['…']
  if (Array.isArray(value)) {
    const items = { ...place, schema: field(schema, 'items'), depth: depth + 1 }
    return value.flatMap((each: Json) => under('- ', linesOf(each, items)))
  }
  if (!isJsonObject(value)) return [scalar(value, language)]
  return Object.entries(value).flatMap(([name, held]) => {
    const own = field(field(schema, 'properties'), name)
    const title = field(own, 'title')
    const label = typeof title === 'string' ? title : name
    const lines = linesOf(held ?? null, { ...place, schema: own, depth: depth + 1 })
    const isPlain = typeof held !== 'object' || held === null
    if (isPlain) return `${label}${colon[language]}${lines.join(' ')}`
    return [`${label}${colon[language].trim()}`].concat(lines.map((line) => `  ${line}`))
  })
}

function scalar(value: Json, language: Language): string {
  if (value === null) return '–'
  if (typeof value === 'boolean') return (value ? yes : no)[language]
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '–')
}

/** Puts a mark before the first line and indents the others. */
function under(mark: string, [first = '', ...rest]: readonly string[]): string[] {
  return [`${mark}${first}`, ...rest.map((line) => `${' '.repeat(mark.length)}${line}`)]
}

function field(schema: Json | undefined, name: string): Json | undefined {
  return isJsonObject(schema) && Object.hasOwn(schema, name) ? schema[name] : undefined
}

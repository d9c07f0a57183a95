import type { DemoCall, DemoLanguage } from 'dragoman/agents'
import { isJsonObject, type Json } from 'dragoman/events'
import { objectOf, quotesIn } from './objects.ts'
import { chineseFor, contentWords, deedIn, wordsOfName } from './page-words.ts'

/** A call that changes what is shared. */
type Change = DemoCall & { readonly thought: string }

/** An operation of a JSON patch. */
type Operation = { readonly op: string; readonly path: string; readonly value?: Json }

/** The state that agent and page share, as the system prompt has it. */
export function sharedState(system: string): Json | undefined {
  const [, json] = /<shared-state>\n(.*)\n<\/shared-state>/.exec(system) ?? []
  return json === undefined ? undefined : (JSON.parse(json) as Json)
}

/** How a wish changes what is shared: its fields are known by their names. */
export function changeOf(words: string, language: DemoLanguage, state: Json | undefined): Change | undefined {
  if (!isJsonObject(state)) return undefined
  const said = contentWords(words)
  for (const [key, value] of Object.entries(state)) {
    const names = wordsOfName(key).flatMap((word) => contentWords(word))
    const isMeant =
      words.includes(key) ||
      (names.length > 0 && names.every((name) => said.includes(name))) ||
      names.some((name) => chineseFor(name).some((each) => words.includes(each)))
    const change = isMeant ? changed(words, language, { key, value }) : undefined
    if (!change) continue
    const patch = [{ ...change, path: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${change.path}` }]
    const thought = {
      en: `${key} is shared with me; I will change it.`,
      zh: `${key} 是共享状态里的字段，我来修改。`,
    }[language]
    return { tool: 'update_state', input: { patch }, thought }
  }
  return undefined
}

function changed(
  words: string,
  language: DemoLanguage,
  { key, value }: { key: string; value: Json },
): Operation | undefined {
  const deed = deedIn(words)
  const [quote] = quotesIn(words)
  const object = quote ?? objectOf(words, `set_${key}`, language)
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    const at = list.indexOf(object)
    if (deed === 'add' && object !== '' && list.every((each) => typeof each === 'string'))
      return { op: 'add', path: '/-', value: object }
    return deed === 'remove' && at >= 0 ? { op: 'remove', path: `/${at}` } : undefined
  }
  if (typeof value === 'number') {
    const by = Number(/(?:by|加|减)\s*(\d+(?:\.\d+)?)/i.exec(words)?.[1] ?? 1)
    if (/\b(?:increment|increase|raise)\b|增加|加[一1]|加\s*\d/i.test(words))
      return { op: 'replace', path: '', value: value + by }
    if (/\b(?:decrement|decrease|lower)\b|减少|减[一1]|减\s*\d/i.test(words))
      return { op: 'replace', path: '', value: value - by }
    const number = Number(object)
    return deed === 'set' && object !== '' && Number.isFinite(number)
      ? { op: 'replace', path: '', value: number }
      : undefined
  }
  if (deed !== 'set' || object === '') return undefined
  if (typeof value === 'boolean')
    return { op: 'replace', path: '', value: /^(?:true|on|yes|是|开)/i.test(object) }
  return typeof value === 'string' || value === null ? { op: 'replace', path: '', value: object } : undefined
}

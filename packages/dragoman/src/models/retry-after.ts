import { isJsonObject, parseJson, type Json } from '../events/index.ts'

const MAX_DEPTH = 6
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The fields of a provider's error that may say it. */
type Refusal = {
  readonly responseHeaders?: unknown
  readonly responseBody?: unknown
  readonly message?: unknown
}

/** Seconds to wait until a provider answers again: from its headers, or else from its body or message. */
export function retryAfterOf({ responseHeaders, responseBody, message }: Refusal): number | undefined {
  const wait =
    waitInHeaders(responseHeaders) ??
    (typeof responseBody === 'string' ? waitInJson(parseJson(responseBody)) : undefined) ??
    [responseBody, message].map(waitInWords).find((each) => each !== undefined)
  return wait === undefined ? undefined : Math.max(0, Math.ceil(wait / 1000))
}

/** A time in the largest unit that says it well. */
export function durationWords(seconds: number): { readonly english: string; readonly chinese: string } {
  if (seconds < 120) return { english: `${seconds} seconds`, chinese: `${seconds} 秒` }
  if (seconds < 7200) {
    const minutes = Math.ceil(seconds / 60)
    return { english: `${minutes} minutes`, chinese: `${minutes} 分钟` }
  }
  const hours = Math.ceil(seconds / 3600)
  return { english: `${hours} hours`, chinese: `${hours} 小时` }
}

/** Milliseconds, from `retry-after-ms` or `retry-after` (seconds or a date). */
function waitInHeaders(headers: unknown): number | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const all = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
  const milliseconds = Number(all.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(milliseconds)) return milliseconds
  const header = all.get('retry-after')
  if (header === undefined) return undefined
  const wait = /^\s*\d+(?:\.\d+)?\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(wait) ? wait : undefined
}

/** The first field at any depth that is named for it: `resets_in_seconds`, `retryDelay` of Google, and others. */
function waitInJson(json: Json | undefined, depth = 0): number | undefined {
  if (typeof json !== 'object' || json === null || depth > MAX_DEPTH) return undefined
  const fields = Object.entries(json)
  const waits = fields.map(([name, value]) => waitInField(name.toLowerCase().replaceAll(/[-_]/g, ''), value))
  const nested = fields
    .map(([, value]) => value)
    .filter((value) => Array.isArray(value) || isJsonObject(value))
  return [...waits, ...nested.map((value) => waitInJson(value, depth + 1))].find((each) => each !== undefined)
}

function waitInField(name: string, value: Json): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const count = value === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(count)) return name === 'retrydelay' ? durationIn(String(value)) : undefined
  if (/^(?:retryafter|resets?in)ms$/.test(name)) return count
  if (/^(?:retryafter|resets?in)(?:s|seconds)?$/.test(name)) return count * 1000
  if (!/^resets?at$|ratelimitreset$/.test(name)) return undefined
  // A date in milliseconds, in seconds, or the seconds until then.
  if (count > 1e11) return count - Date.now()
  return count > 1e9 ? count * 1000 - Date.now() : count * 1000
}

/** Such as "Please try again in 7m12.5s". */
function waitInWords(words: unknown): number | undefined {
  if (typeof words !== 'string') return undefined
  const [, rest] =
    /\b(?:try again|retry|resets?|available)(?: again)? (?:in|after) ([^"]{1,40})/i.exec(
      words.slice(0, 8192),
    ) ?? []
  return rest === undefined ? undefined : durationIn(rest)
}

function durationIn(words: string): number | undefined {
  const units =
    /^[\s,]*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|milliseconds?|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?)(?![a-z])/i
  let total: number | undefined
  for (
    let rest = words, match = units.exec(rest);
    match;
    rest = rest.slice(match[0].length), match = units.exec(rest)
  ) {
    const unit = (match[2] ?? '').toLowerCase()
    const name = unit.startsWith('ms') || unit.startsWith('milli') ? 'ms' : unit.charAt(0)
    total = (total ?? 0) + Number(match[1]) * (UNIT_MS[name] ?? 0)
  }
  return total
}

/** What a robots.txt lets one crawler do. https://www.rfc-editor.org/rfc/rfc9309 */
export type RobotsRules = {
  /** `path` with its query, as it is asked for. */
  readonly allows: (path: string) => boolean
  /** What it asks to wait between two requests, in ms. */
  readonly delayMs: number
}

type Rule = { readonly allow: boolean; readonly pattern: string }
type Group = { readonly agents: string[]; readonly rules: Rule[]; delayMs: number }

/** Nobody's pages need more; of a stranger's file no more is looked at. */
const MAX_RULES = 2000
const MAX_PATTERN_LENGTH = 500

/**
 * Reads what a robots.txt says to a crawler: the groups that name it, else those for all. Heavy: it is for a thread
 * of its own.
 */
export function robotsRules(text: string, crawler: string): RobotsRules {
  const groups = groupsIn(text)
  const naming = (name: string): readonly Group[] => groups.filter(({ agents }) => agents.includes(name))
  const own = naming(crawler.toLowerCase())
  const chosen = own.length > 0 ? own : naming('*')
  const rules = chosen.flatMap((group) => group.rules).slice(0, MAX_RULES)
  return {
    allows: (path) => path === '/robots.txt' || allowed(rules, normal(path)),
    delayMs: Math.max(0, ...chosen.map(({ delayMs }) => delayMs)),
  }
}

/** Lines that name agents begin a group; rules that follow belong to it until agents are named again. */
function groupsIn(text: string): readonly Group[] {
  const groups: Group[] = []
  let naming = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const { name = '', value = '' } =
      /^\s*(?<name>[a-z-]+)\s*:\s*(?<value>[^#]*)/i.exec(line.slice(0, 2000))?.groups ?? {}
    const rule = value.trim()
    const field = name.toLowerCase()
    if (field === 'user-agent') {
      if (!naming) groups.push({ agents: [], rules: [], delayMs: 0 })
      groups.at(-1)?.agents.push(/^\*|^[a-z_-]+/i.exec(rule)?.[0].toLowerCase() ?? '')
      naming = true
      continue
    }
    const group = groups.at(-1)
    if (!group || !['allow', 'disallow', 'crawl-delay'].includes(field)) continue
    naming = false
    if (field === 'crawl-delay') group.delayMs = Math.max(group.delayMs, (Number(rule) || 0) * 1000)
    // An empty rule says nothing: `Disallow:` alone lets in.
    else if (rule !== '' && rule.length <= MAX_PATTERN_LENGTH) {
      group.rules.push({ allow: field === 'allow', pattern: normal(rule) })
    }
  }
  return groups
}

/** The longest pattern that fits decides; of two as long the one that allows. */
function allowed(rules: readonly Rule[], path: string): boolean {
  let best: Rule | undefined
  for (const rule of rules) {
    const longer = best === undefined || rule.pattern.length > best.pattern.length
    const kinder = best !== undefined && rule.pattern.length === best.pattern.length && rule.allow
    if ((longer || kinder) && fits(rule.pattern, path)) best = rule
  }
  return best?.allow ?? true
}

/**
 * `*` stands for anything, a `$` at the end for the end. Piece by piece, without going back: a pattern cannot make it
 * slow.
 */
function fits(pattern: string, path: string): boolean {
  const ends = pattern.endsWith('$')
  const [first = '', ...others] = (ends ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  const last = ends ? others.pop() : undefined
  let at = first.length
  for (const piece of others) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  if (!ends) return true
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
}

/** The same character may be written out or as %XX. */
function normal(path: string): string {
  const encoded = path.replace(/[^\u0021-\u007E]+/gu, (characters) =>
    encodeURIComponent(characters.toWellFormed()),
  )
  return encoded.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}

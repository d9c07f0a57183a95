/** What a site lets a crawler do. https://www.rfc-editor.org/rfc/rfc9309 */
export type RobotsPermission = {
  /** Whether the page may be fetched. */
  readonly allows: boolean
  /** The pause that the site asks for between two requests. */
  readonly delayMs: number
}

type Rule = { readonly allow: boolean; readonly pattern: string }
type Group = { readonly agents: string[]; readonly rules: Rule[]; delayMs: number }

/** Larger files and patterns are read in part only. */
const MAX_RULES = 2000
const MAX_PATTERN_LENGTH = 500

/**
 * What a robots.txt says to a crawler about a path with its query: the groups that name the crawler, else those for
 * all. It may take long, so it belongs in a thread.
 */
export function readRobots(text: string, crawler: string, path: string): RobotsPermission {
  const groups = groupsIn(text)
  const groupsFor = (name: string): readonly Group[] => groups.filter(({ agents }) => agents.includes(name))
  const own = groupsFor(crawler.toLowerCase())
  const chosen = own.length > 0 ? own : groupsFor('*')
  const rules = chosen.flatMap((group) => group.rules).slice(0, MAX_RULES)
  return {
    allows: path === '/robots.txt' || isAllowed(rules, normalize(path)),
    delayMs: Math.max(0, ...chosen.map(({ delayMs }) => delayMs)),
  }
}

/** `User-agent` lines begin a group. The rules after them belong to it, until the next such lines. */
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
    // An empty rule has no effect: `Disallow:` alone allows all.
    else if (rule !== '' && rule.length <= MAX_PATTERN_LENGTH) {
      group.rules.push({ allow: field === 'allow', pattern: normalize(rule) })
    }
  }
  return groups
}

/** The longest matching pattern decides; of two equally long ones, the one that allows. */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let best: Rule | undefined
  for (const rule of rules) {
    const longer = best === undefined || rule.pattern.length > best.pattern.length
    const kinder = best !== undefined && rule.pattern.length === best.pattern.length && rule.allow
    if ((longer || kinder) && fits(rule.pattern, path)) best = rule
  }
  return best?.allow ?? true
}

/** `*` matches anything, `$` the end. Pieces are matched without backtracking, so that no pattern is slow. */
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

/** A character and its %XX form are the same. */
function normalize(path: string): string {
  const encoded = path.replace(/[^\u0021-\u007E]+/gu, (characters) =>
    encodeURIComponent(characters.toWellFormed()),
  )
  return encoded.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}

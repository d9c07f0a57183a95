/** Names in the order in which they are looked for: most browsers also call themselves by older names. */
const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'] as const
const SHOWN_NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }

/** A browser and its system in words, from what it calls itself. What is not known is shown as it is. */
export function browserName(userAgent: string | null): string | undefined {
  if (userAgent === null || userAgent === '') return undefined
  const found = [
    BROWSERS.find((name) => userAgent.includes(`${name}/`)),
    SYSTEMS.find((name) => userAgent.includes(name)),
  ].flatMap((name) => (name === undefined ? [] : (SHOWN_NAMES[name] ?? name)))
  return found.length > 0 ? found.join(' · ') : userAgent.slice(0, 60)
}

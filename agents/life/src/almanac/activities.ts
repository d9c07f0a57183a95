import activities from './activities.json' with { type: 'json' }

/** The activities of the almanac by kind. The Chinese names are those of tyme4ts. */
const { rites, people, trade, building, farming, health, mourning, verdicts } = activities.names
const names: Readonly<Record<string, string>> = {
  ...rites,
  ...people,
  ...trade,
  ...building,
  ...farming,
  ...health,
  ...mourning,
  ...verdicts,
}
/** Customs and crafts that are gone, or whose names mean something else today: 经络 now are the body's meridians. */
const outdated = new Set(activities.outdated)
const everyday = new Set(activities.everyday)

export const activityNames: readonly string[] = Object.keys(names)

/** A day with this verdict suits no undertaking, whatever else the almanac lists. */
export const NOTHING_SUITS = '诸事不宜'

/** The English name, or the Chinese one if the table has none. */
export function activityInEnglish(name: string): string {
  return names[name] ?? name
}

/** Whether the name judges the day as a whole and is no activity. */
export function isVerdict(name: string): boolean {
  return name in verdicts
}

/** Whether a greeting may name the activity: no graves, no sickness, no vanished crafts. */
export function isEveryday(name: string): boolean {
  return ((name in people || name in trade) && !outdated.has(name)) || everyday.has(name)
}

import { branches, stems } from './chart.ts'
import names from './english-names.json' with { type: 'json' }

const englishNames: Readonly<Record<string, string>> = names

/**
 * Translates a name of a chart: a stem "Jia (yang wood)", a branch "Zi (rat)", a pillar "Jia-Zi", a ten god, a phase, a
 * sound, a term, a relation, a star. An unknown name stays Chinese. 死 is the phase: for the state of an element in its
 * season use `inSeason`.
 */
export function inEnglish(name: string): string {
  return englishNames[name] ?? pillarInEnglish(name) ?? name
}

/** 旺相休囚死 in English. */
export function inSeason(state: string): string {
  return state === '死' ? 'dormant' : inEnglish(state)
}

/** A stem or a branch by its sound alone: Wu. */
export function soundOf(sign: string): string {
  return inEnglish(sign).split(' ')[0] ?? sign
}

function pillarInEnglish(name: string): string | undefined {
  const [stem = '', branch = '', ...more] = name
  const isPillar = stems.some((one) => one === stem) && branches.some((one) => one === branch)
  return isPillar && more.length === 0 ? `${soundOf(stem)}-${soundOf(branch)}` : undefined
}

const pillarsBySound: ReadonlyMap<string, string> = new Map(
  stems.flatMap((stem) =>
    branches.map(
      (branch) => [`${soundOf(stem)}${soundOf(branch)}`.toLowerCase(), `${stem}${branch}`] as const,
    ),
  ),
)

/** The pillar with an English name, in any spelling: `Jia-Zi`, `jiazi`, `Jia Zi`. */
export function pillarFromEnglish(english: string): string | undefined {
  return pillarsBySound.get(english.toLowerCase().replaceAll(/[^a-z]/g, ''))
}

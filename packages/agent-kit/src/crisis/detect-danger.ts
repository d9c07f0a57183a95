import phrases from './danger-phrases.json' with { type: 'json' }

/** The subject of a message. `overdose`: too much medicine, or poison. */
export type Danger = 'overdose' | 'violence' | 'self-harm'

const compile = (patterns: readonly string[], flags: string): RegExp[] =>
  patterns.map((pattern) => new RegExp(pattern, flags))

/**
 * The patterns of `danger-phrases.json` follow published warning signs, which docs/agents/safety.md names:
 * https://jcsuicideprevention.org/warning-signs-risk-factors (the list of the National Institute of Mental Health),
 * https://www.staynedelta.org/warning-signs, https://www.crisis.org.cn/shows/13/554.html and, for violence,
 * https://dcfs.illinois.gov/safe-kids/protecting/warning-signs-of-domestic-violence.html.
 * English patterns have no apostrophes: `detectDanger` removes them from a message, as many people leave them out.
 */
const SIGNS = {
  selfHarm: compile(phrases.selfHarm, 'iu'),
  overdose: compile(phrases.overdose, 'iu'),
  violence: compile(phrases.violence, 'iu'),
}
/** Phrases that only look like danger: 想死你了 means "I miss you so". They are removed before the detection. */
const HARMLESS = compile(phrases.harmless, 'giu')
/** In a game, no person is hurt. */
const GAME = compile(phrases.game, 'iu')

/**
 * Detects the danger that a message mentions. It errs on the side of care: a false alarm is only a kind sentence
 * and a number.
 */
export function detectDanger(words: string): Danger | undefined {
  const plain = words
    .normalize('NFKC')
    .replaceAll(/[’‘'`´]/gu, '')
    .replaceAll(/(?<=\p{Script=Han})[ \t]+(?=\p{Script=Han})/gu, '')
  const remaining = HARMLESS.reduce((rest, phrase) => rest.replaceAll(phrase, ' '), plain)
  const has = (signs: readonly RegExp[]): boolean => signs.some((sign) => sign.test(remaining))
  if (has(SIGNS.overdose)) return 'overdose'
  if (has(SIGNS.violence) && !has(GAME)) return 'violence'
  return has(SIGNS.selfHarm) ? 'self-harm' : undefined
}

export function isCrisis(words: string): boolean {
  return detectDanger(words) !== undefined
}

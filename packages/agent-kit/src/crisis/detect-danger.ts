import { setImmediate } from 'node:timers/promises'

import { normalForm } from 'dragoman/events'
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

/** A long text is read in parts, and the event loop turns after each. They overlap by more than a phrase is long. */
const PART_LENGTH = 20_000
const OVERLAP = 500

/** What was read last. The prompt of a run asks about the message that the guardrail has just asked about. */
let last: { readonly words: string; readonly danger: Promise<Danger | undefined> } | undefined

/**
 * Detects the danger that a message mentions. It errs on the side of care: a false alarm is only a kind sentence
 * and a number.
 */
export function detectDanger(words: string): Promise<Danger | undefined> {
  if (last?.words !== words) last = { words, danger: readParts(words) }
  return last.danger
}

async function readParts(words: string): Promise<Danger | undefined> {
  const found = new Set<keyof typeof SIGNS | 'game'>()
  for (let at = 0; at < words.length; at += PART_LENGTH) {
    if (at > 0) await setImmediate()
    const part = withoutHarmless(words.slice(at, at + PART_LENGTH + OVERLAP))
    const has = (signs: readonly RegExp[]): boolean => signs.some((sign) => sign.test(part))
    if (has(SIGNS.overdose)) return 'overdose'
    if (has(SIGNS.violence)) found.add('violence')
    if (has(GAME)) found.add('game')
    if (has(SIGNS.selfHarm)) found.add('selfHarm')
  }
  if (found.has('violence') && !found.has('game')) return 'violence'
  return found.has('selfHarm') ? 'self-harm' : undefined
}

function withoutHarmless(words: string): string {
  const plain = normalForm(words, 'NFKC')
    .replaceAll(/[’‘'`´]/gu, '')
    .replaceAll(/(?<=\p{Script=Han})[ \t]+(?=\p{Script=Han})/gu, '')
  return HARMLESS.reduce((rest, phrase) => rest.replaceAll(phrase, ' '), plain)
}

export async function isCrisis(words: string): Promise<boolean> {
  return (await detectDanger(words)) !== undefined
}

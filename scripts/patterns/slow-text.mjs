import { attackTexts } from './attack-texts.mjs'

/** A message has at most so many characters. */
const MAX_CHARACTERS = 200_000
/** For so many, a linear pattern needs a small part of it; a quadratic one needs much more. */
const MAX_MS = 250
/** What takes less is not measured well. */
const MIN_MS = 20
/** An exponential pattern is found before its text is long. */
const MIN_REPETITIONS = 8
/** The measurements end here if even a quadratic pattern would take less than the limit for the longest text. */
const ENOUGH = 1 / 16

/** A text of at most so many characters that the pattern needs too long for, if there is one. */
export function slowText(source, flags, maxCharacters = MAX_CHARACTERS) {
  const pattern = new RegExp(source, flags)
  for (const { start, repeated, ends } of attackTexts(source, flags))
    for (const end of ends) {
      const textOf = (times) => start + repeated.repeat(times) + end
      const ms = timeOfLongest(pattern, textOf, Math.ceil(maxCharacters / repeated.length))
      if (ms > MAX_MS) return { start, repeated, end, ms }
    }
  return undefined
}

/** The least time that the longest text takes. Texts grow until it is known: an exponential pattern would never end. */
function timeOfLongest(pattern, textOf, maxRepetitions) {
  for (let times = MIN_REPETITIONS; ; times += times < 64 ? 2 : Math.floor(times / 2)) {
    const repetitions = Math.min(times, maxRepetitions)
    const part = repetitions / maxRepetitions
    const ms = shortestTime(pattern, textOf(repetitions))
    const isSlow = ms > MIN_MS && ms / part > MAX_MS
    const isFast = part >= ENOUGH && ms / part ** 2 < MAX_MS
    if (isSlow || isFast || part === 1) return ms / part
  }
}

/** Measures a slow text again: the first time may contain compilation or a collection of garbage. */
function shortestTime(pattern, text) {
  const ms = timeOf(pattern, text)
  return ms > MIN_MS ? Math.min(ms, timeOf(pattern, text)) : ms
}

/**
 * The time of the processor, which other programs do not lengthen. It uses the pattern as its flags let a program use
 * it: at each place of a text, everywhere, or once.
 */
function timeOf(pattern, text) {
  const begin = process.cpuUsage()
  if (pattern.sticky) {
    for (let at = 0; at < text.length; at = Math.max(pattern.lastIndex, at + 1)) {
      pattern.lastIndex = at
      pattern.test(text)
    }
  } else text.replace(pattern, '')
  return process.cpuUsage(begin).user / 1000
}

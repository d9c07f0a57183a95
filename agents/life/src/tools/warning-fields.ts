import type { Chart } from '../chart/chart.ts'
import type { Language } from '../language.ts'

/** The warnings of a chart as cards have them: in one language, with the pillars that would differ. */
export function warningFields({ warnings }: Pick<Chart, 'warnings'>, language: Language) {
  return warnings.map(({ code, words, alternative }) => ({
    code,
    text: words[language],
    ...(alternative && { alternative: alternative.pillars }),
  }))
}

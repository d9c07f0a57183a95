import type { ToolResult } from 'dragoman/agents'
import type { Birth } from '../birth/birth.ts'
import type { Chart } from '../chart/chart.ts'
import { chartOf } from '../chart/chart-of.ts'
import { familyOf, invitations, presence } from '../fortune/fortune-texts.ts'
import { chartPair } from '../fortune/chart-pair.ts'
import type { Language, Phrase } from '../language.ts'
import { assumptionsOf } from './assumptions.ts'
import { cardResult } from './card-result.ts'
import { partsOf } from './chart-card.ts'
import { bondsOf, NO_VERDICT, pairText, PRIVACY } from './pair-text.ts'
import { warningFields } from './warning-fields.ts'
import { reading } from './text-parts.ts'

const theOther: Phrase = { zh: '对方', en: 'the other person' }

type PairCardInput = {
  readonly birth: Birth
  readonly other: Birth
  /** Of the other. */
  readonly name: string | undefined
  readonly userId: string
  readonly language: Language
}

/** Two charts beside each other. */
export function pairCard({ birth, other, userId, language, ...asked }: PairCardInput): ToolResult {
  const [mine, theirs] = [chartOf(birth), chartOf(other)]
  const pair = chartPair(mine, theirs)
  const name = asked.name ?? theOther[language]
  const { theirsToMine, mineToTheirs } = pair.tenGods
  const card = {
    name,
    mine: side(mine, language),
    theirs: side(theirs, language),
    ...pair,
    presence: {
      theirsToMine: presence[familyOf(theirsToMine)][language],
      mineToTheirs: presence[familyOf(mineToTheirs)][language],
      isInterpretation: true,
    },
    invitations: bondsOf(pair).map((bond) => invitations[bond][language]),
    noVerdict: NO_VERDICT[language],
    privacy: PRIVACY[language],
    note: reading[language],
  }
  const text = pairText({ mine, theirs, pair, name, language })
  return cardResult({ status: 'success', cardType: 'bazi_relationship', userId, ...card }, text)
}

function side(chart: Chart, language: Language) {
  return {
    ...partsOf(chart),
    warnings: warningFields(chart, language),
    assumptions: assumptionsOf(chart, language),
  }
}

import type { ToolResult } from 'dragoman/agents'
import type { Birth } from '../birth/birth.ts'
import type { Chart } from '../chart/chart.ts'
import { chartOf } from '../chart/chart-of.ts'
import { bondOf, familyOf, invitations, presence } from '../fortune/fortune-texts.ts'
import { chartPair, type Pair, type PairRelation } from '../fortune/chart-pair.ts'
import { fillIn, type Language } from '../language.ts'
import { describeChartAssumptions } from './describe-chart-assumptions.ts'
import { cardResult } from './card-result.ts'
import texts from './card-texts.json' with { type: 'json' }
import { partsOf } from './chart-card.ts'
import { birthLine, signsText, towardsText } from './chart-text.ts'
import { warningFields } from './warning-fields.ts'
import { pillarNames, createCardTextWriter, type CardTextWriter } from './card-text-writer.ts'

const { labels } = texts

type PairCardInput = {
  readonly birth: Birth
  readonly other: Birth
  /** The name of the other person. */
  readonly name: string | undefined
  readonly userId: string
  readonly language: Language
}

type Charts = { readonly mine: Chart; readonly theirs: Chart; readonly pair: Pair; readonly name: string }

/** Two charts side by side. */
export function pairCard({ birth, other, userId, language, ...input }: PairCardInput): ToolResult {
  const [mine, theirs] = [chartOf(birth), chartOf(other)]
  const pair = chartPair(mine, theirs)
  const name = input.name ?? texts.theOther[language]
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
    invitations: invitationsOf(pair, language),
    noVerdict: texts.noVerdict[language],
    privacy: texts.pairPrivacy[language],
    note: texts.reading[language],
  }
  const text = pairText({ mine, theirs, pair, name }, createCardTextWriter(language))
  return cardResult({ status: 'success', cardType: 'bazi_relationship', userId, ...card }, text)
}

function side(chart: Chart, language: Language) {
  return {
    ...partsOf(chart),
    warnings: warningFields(chart, language),
    assumptions: describeChartAssumptions(chart, language),
  }
}

/** One sentence for each kind of relation between the charts. */
function invitationsOf({ relations }: Pair, language: Language): string[] {
  const bonds = new Set(relations.map(({ kind }) => bondOf(kind)))
  return Array.from(bonds, (bond) => invitations[bond][language])
}

function pairText({ mine, theirs, pair, name }: Charts, write: CardTextWriter): string {
  const { language } = write
  const them = { zh: name, en: name }
  const { toMine, toTheirs } = pair.brought
  const { theirsToMine, mineToTheirs } = pair.tenGods
  const presenceText = (god: typeof theirsToMine) => ({
    name,
    god: write.name(god),
    text: presence[familyOf(god)],
  })
  const warnings = [
    ...mine.warnings.map(({ words }) => `- ${write.line(labels.you, words[language])}`),
    ...theirs.warnings.map(({ words }) => `- ${write.line(them, words[language])}`),
  ]
  return [
    write.fill(texts.pair, { name }),
    write.line(labels.you, chartLine(mine, write)),
    write.line(them, chartLine(theirs, write)),
    write.fill(texts.presenceToYou, presenceText(theirsToMine)),
    write.fill(texts.presenceToThem, presenceText(mineToTheirs)),
    ...write.lines([
      [labels.bothElements, elementsText(pair, write)],
      [fillIn(labels.toYou, { name }), write.list(toMine.map(write.name))],
      [fillIn(labels.toThem, { name }), write.list(toTheirs.map(write.name))],
      [labels.between, write.series(pair.relations.map((relation) => relationText(relation, name, write)))],
    ]),
    ...invitationsOf(pair, language).map((invitation) => `- ${invitation}`),
    ...(warnings.length > 0 ? [texts.keepInMind[language], ...warnings] : []),
    texts.noVerdict[language],
    texts.pairPrivacy[language],
    texts.reading[language],
  ].join('\n')
}

function chartLine(chart: Chart, write: CardTextWriter): string {
  const pillars = pillarNames.flatMap((at) => {
    const pillar = chart.pillars[at]
    return pillar ? [write.name(pillar.name)] : []
  })
  const dayMaster = write.fill(texts.dayMaster, { stem: write.name(chart.dayMaster.stem) })
  return write.series([birthLine(chart, write), pillars.join(' '), dayMaster])
}

function elementsText({ elements }: Pair, write: CardTextWriter): string {
  return write.list(
    elements.map(({ element, mine, theirs }) => `${write.name(element)} ${mine}% / ${theirs}%`),
  )
}

function relationText(
  { kind, names, element, ...at }: PairRelation,
  name: string,
  write: CardTextWriter,
): string {
  return write.fill(texts.pairRelation, {
    signs: signsText(names, kind, write),
    mine: write.list(at.mine.map(write.pillar)),
    theirs: write.list(at.theirs.map(write.pillar)),
    name,
    towards: towardsText(element, write),
  })
}

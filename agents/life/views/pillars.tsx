import type { Chart, HiddenStem, PillarName } from '../src/chart/chart.ts'
import { soundOf } from '../src/chart/english-names.ts'
import { colors } from './colors.ts'
import { nameIn, translatorOf } from './translator.ts'

/** As charts are read: from right to left in time. */
const NAMES: readonly PillarName[] = ['hour', 'day', 'month', 'year']

/** The four pillars with their ten gods and hidden stems. */
export function Pillars({ chart, language }: { readonly chart: Chart; readonly language: string }) {
  const t = translatorOf(language)
  return (
    <div className="life-pillars">
      {NAMES.map((name) => {
        const pillar = chart.pillars[name]
        return (
          <div key={name} className={name === 'day' ? 'life-day' : ''}>
            <small>{t(name)}</small>
            {pillar ? (
              <>
                <small className="life-god">{nameIn(language, pillar.tenGod)}</small>
                <Sign sign={pillar.stem} element={pillar.element} language={language} />
                <Sign sign={pillar.branch} element={pillar.branchElement} language={language} />
                <HiddenStems stems={pillar.hidden} label={t('hidden')} language={language} />
                <small>{nameIn(language, pillar.sound)}</small>
              </>
            ) : (
              <small>{t('unknownHour')}</small>
            )}
          </div>
        )
      })}
    </div>
  )
}

type HiddenStemsProps = {
  readonly stems: readonly HiddenStem[]
  readonly label: string
  readonly language: string
}

/** What a branch holds, each stem with its ten god. */
function HiddenStems({ stems, label, language }: HiddenStemsProps) {
  return (
    <ul className="life-hidden" aria-label={label}>
      {stems.map(({ stem, element, tenGod }) => (
        <li key={stem}>
          <span style={{ color: colors[element] }}>
            <span lang="zh">{stem}</span>
            {language !== 'zh' && ` ${soundOf(stem)}`}
          </span>
          <small>{nameIn(language, tenGod)}</small>
        </li>
      ))}
    </ul>
  )
}

type SignProps = { readonly sign: string; readonly element: string; readonly language: string }

/** A stem or a branch; for readers of other languages with its sound. */
export function Sign({ sign, element, language }: SignProps) {
  return (
    <b style={{ color: colors[element] }}>
      <span className="life-sign" lang="zh">
        {sign}
      </span>
      {language !== 'zh' && <small>{soundOf(sign)}</small>}
    </b>
  )
}

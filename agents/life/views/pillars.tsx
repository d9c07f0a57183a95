import type { Chart, PillarName } from '../src/chart/chart.ts'
import { soundOf } from '../src/chart/english-names.ts'
import { colors } from './colors.ts'
import { nameIn, textsIn } from './texts.ts'

/** As charts are read: from right to left in time. */
const NAMES: readonly PillarName[] = ['hour', 'day', 'month', 'year']

/** The four pillars with their ten gods and hidden stems. */
export function Pillars({ chart, language }: { readonly chart: Chart; readonly language: string }) {
  const texts = textsIn(language)
  return (
    <div className="life-pillars">
      {NAMES.map((name) => {
        const pillar = chart.pillars[name]
        return (
          <div key={name} className={name === 'day' ? 'life-day' : ''}>
            <small>{texts[name]}</small>
            {pillar ? (
              <>
                <small className="life-god">{nameIn(language, pillar.tenGod)}</small>
                <Sign sign={pillar.stem} element={pillar.element} language={language} />
                <Sign sign={pillar.branch} element={pillar.branchElement} language={language} />
                <small title={texts.hidden}>
                  {pillar.hidden.map(({ stem, element, tenGod }) => (
                    <span key={stem} title={nameIn(language, tenGod)} style={{ color: colors[element] }}>
                      {stem}
                    </span>
                  ))}
                </small>
                <small>{nameIn(language, pillar.sound)}</small>
              </>
            ) : (
              <small>{texts.unknownHour}</small>
            )}
          </div>
        )
      })}
    </div>
  )
}

type SignProps = { readonly sign: string; readonly element: string; readonly language: string }

/** A stem or a branch; for readers of other languages with its sound. */
function Sign({ sign, element, language }: SignProps) {
  return (
    <b style={{ color: colors[element] }}>
      <span className="life-sign" lang="zh">
        {sign}
      </span>
      {language !== 'zh' && <small>{soundOf(sign)}</small>}
    </b>
  )
}

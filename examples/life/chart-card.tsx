import type { Chart, PillarName } from '../../agents/life/src/chart/chart.ts'
import { inEnglish } from '../../agents/life/src/chart/english-names.ts'

export type ChartData = { chart: Chart; text?: string }

const NAMES: readonly (readonly [PillarName, string])[] = [
  ['hour', '时'],
  ['day', '日'],
  ['month', '月'],
  ['year', '年'],
]
const isChinese = navigator.language.startsWith('zh')
/** Names in a chart are Chinese. */
const inWords = (name: string): string => (isChinese ? name : inEnglish(name))
/** Wood, fire, earth, metal, water, in colours that read on light and on dark. */
const COLOURS: Readonly<Record<string, string>> = {
  木: '#3f9b5f',
  火: '#d8553f',
  土: '#b3813a',
  金: '#a3963c',
  水: '#3f7fc4',
}

/** The four pillars in their usual order, from right to left in time. `text` contains all of this too. */
export function ChartCard({ chart, text }: ChartData) {
  const { pillars, elements, warnings, luck, zodiac, lunarDate, clock } = chart
  return (
    <section className="card chart" aria-label={text}>
      <p className="quiet">
        {clock.said.replace('T', ' ')} · {isChinese && `${lunarDate} · `}
        {inWords(zodiac)}
      </p>
      <div className="pillars">
        {NAMES.map(([name, label]) => {
          const pillar = pillars[name]
          return (
            <div key={name}>
              <small className="quiet">{isChinese ? label : name}</small>
              <small>{pillar ? inWords(pillar.tenGod) : '—'}</small>
              <b style={{ color: COLOURS[pillar?.element ?? ''] }}>{pillar?.stem ?? '？'}</b>
              <b style={{ color: COLOURS[pillar?.branchElement ?? ''] }}>{pillar?.branch ?? '？'}</b>
              <small className="quiet">{pillar?.hidden.map(({ stem }) => stem).join(' ')}</small>
              <small className="quiet">{pillar && inWords(pillar.sound)}</small>
            </div>
          )
        })}
      </div>
      <div className="elements">
        {Object.entries(elements.weights).map(([element, percent]) => (
          <div key={element}>
            <span>{inWords(element)}</span>
            <i style={{ width: `${percent}%`, background: COLOURS[element] }} />
            <small className="quiet">{Math.round(percent)}%</small>
          </div>
        ))}
      </div>
      <ol className="luck">
        {luck.cycles.map(({ name, startAge, startYear }) => (
          <li key={startYear}>
            <b>{inWords(name)}</b>
            <small className="quiet">
              {startAge} · {startYear}
            </small>
          </li>
        ))}
      </ol>
      {warnings.length > 0 && (
        <details>
          <summary>
            ⚠ {isChinese ? '要留意的' : 'To keep in mind'} · {warnings.length}
          </summary>
          {warnings.map(({ code, words, alternative }) => (
            <p key={code}>
              {isChinese ? words.zh : words.en}
              {alternative && ` → ${Object.values(alternative.pillars).map(inWords).join(' ')}`}
            </p>
          ))}
        </details>
      )}
    </section>
  )
}

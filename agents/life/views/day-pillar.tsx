import { tenGods } from '../src/chart/chart.ts'
import type { Greeting } from '../src/greeting/greeting.ts'
import { elementOf } from './colors.ts'
import { Sign } from './pillars.tsx'
import { nameIn, translatorOf } from './translator.ts'

type DayPillarProps = {
  readonly language: string
  readonly basis: Greeting['basis']
  readonly onAddBirth: () => void
}

const RELATIONS = { union: 'today.union', clash: 'today.clash' } as const

/** The pillar of the day, and how it stands to the user's day master. */
export function DayPillar({ language, basis, onAddBirth }: DayPillarProps) {
  const t = translatorOf(language)
  const { dayPillar, personal, dayMaster, theme, relation } = basis
  const [stem = '', branch = ''] = dayPillar
  const meaning = personal ? meaningKey(theme) : undefined
  return (
    <section className="life-card">
      <h3>{t('today.day')}</h3>
      <div
        className="life-day-pillar"
        role="img"
        aria-label={`${t('today.dayPillar')}: ${nameIn(language, dayPillar)}`}
      >
        <Sign sign={stem} element={elementOf(stem)} language={language} />
        <Sign sign={branch} element={elementOf(branch)} language={language} />
      </div>
      {personal && dayMaster !== undefined ? (
        <p>{t('today.personal', { master: nameIn(language, dayMaster), god: nameIn(language, theme) })}</p>
      ) : (
        <>
          <p>{t('today.impersonal', { stem: nameIn(language, stem) })}</p>
          <button type="button" className="button" onClick={onAddBirth}>
            {t('today.addBirth')}
          </button>
        </>
      )}
      {meaning && <p>{t(meaning)}</p>}
      {relation && <p>{t(RELATIONS[relation])}</p>}
    </section>
  )
}

function meaningKey(theme: string) {
  const god = tenGods.find((each) => each === theme)
  return god && (`god.${god}` as const)
}

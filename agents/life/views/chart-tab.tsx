import type { PageProps } from '@dragoman/console/view'

import { BirthForm } from './birth-form.tsx'
import ChartCard from './chart-card.tsx'
import KlineCard from './kline-card.tsx'
import { translatorOf } from './translator.ts'
import { useProfile } from './use-profile.ts'

type Card = Parameters<typeof ChartCard>[0]['output']
type Charts = { readonly chart: Card; readonly years: Card }

/** The chart of the stored birth, or the form for it. */
export function ChartTab({ kit, language, ask, open }: PageProps) {
  const t = translatorOf(language)
  const { data: profile } = useProfile(kit)
  const query = language === 'zh' ? 'zh' : 'en'
  const { data } = kit.useJson<Charts>(profile?.birth && `/life/chart?language=${query}`)
  if (!profile) return <p className="quiet">{t('loading')}</p>
  if (!profile.birth)
    return (
      <section className="life-card">
        <h3>{t('chart.empty')}</h3>
        <BirthForm kit={kit} language={language} profile={profile} />
      </section>
    )
  if (!data) return <p className="quiet">{t('loading')}</p>
  const props = {
    tool: '',
    input: null,
    state: 'returned' as const,
    progress: undefined,
    language,
    kit,
    send: undefined,
  }
  return (
    <>
      <div className="life-card">
        <ChartCard {...props} output={data.chart} />
      </div>
      <section className="life-card">
        <h3>{t('chart.years')}</h3>
        <KlineCard {...props} output={data.years} />
      </section>
      <div className="life-actions">
        <button type="button" className="button primary" onClick={() => void ask(t('chart.askText'))}>
          {t('chart.ask')}
        </button>
        <button type="button" className="button" onClick={() => open('profile')}>
          {t('chart.change')}
        </button>
      </div>
    </>
  )
}

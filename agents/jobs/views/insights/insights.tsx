import { useState } from 'react'

import type { Funnel } from '../../src/analytics/funnel.ts'
import type { ResponseRates } from '../../src/analytics/response-rates.ts'
import type { SkillDemand } from '../../src/analytics/skill-demand.ts'
import { Choice } from '../choice.tsx'
import { formatPercent, usePage } from '../page-context.ts'
import { PageLink, Problem, Section } from '../page-parts.tsx'
import { Bars } from './bars.tsx'

const PERIODS = ['all', '30d', '7d'] as const
const MAX_ROWS = 10

/** What the applications have come to, and what is asked for. */
export default function Insights() {
  const { t, kit } = usePage()
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('all')
  const funnel = kit.useJson<Funnel>(`/jobs/analytics/funnel?period=${period}`)
  const skills = kit.useJson<SkillDemand>(`/jobs/analytics/skills?limit=${MAX_ROWS}`)
  const responses = kit.useJson<ResponseRates>(`/jobs/analytics/responses?limit=${MAX_ROWS}`)
  const error = funnel.error ?? skills.error ?? responses.error
  return (
    <>
      <div className="jobs-toolbar">
        <Choice
          label={t('insights.period')}
          value={period}
          options={PERIODS.map((each) => [each, t(`insights.${each}`)])}
          onChange={setPeriod}
        />
      </div>
      <Problem message={error?.message} />
      <div className="jobs-columns even">
        {funnel.data && <FunnelChart funnel={funnel.data} />}
        {funnel.data && <StageTimes funnel={funnel.data} />}
        {skills.data && <SkillCharts demand={skills.data} />}
        {responses.data && <ResponseCharts rates={responses.data} />}
      </div>
    </>
  )
}

function FunnelChart({ funnel }: { readonly funnel: Funnel }) {
  const { t, language } = usePage()
  const { inbox, applied, interview, offer, conversionRates: rates } = funnel
  const withRate = (value: number, rate: number | null): string =>
    rate === null ? String(value) : `${value} · ${formatPercent(rate, language)}`
  return (
    <Section title={t('insights.funnel')}>
      <Bars
        caption={t('insights.funnel')}
        bars={[
          { label: t('insights.saved'), value: inbox },
          { label: t('status.applied'), value: applied, text: withRate(applied, rates.applyRate) },
          {
            label: t('insights.interview'),
            value: interview,
            text: withRate(interview, rates.interviewRate),
          },
          { label: t('status.offer'), value: offer, text: withRate(offer, rates.offerRate) },
        ]}
      />
      <p className="quiet">{t('insights.funnelNote')}</p>
    </Section>
  )
}

function StageTimes({ funnel: { stages } }: { readonly funnel: Funnel }) {
  const { t, language } = usePage()
  const format = new Intl.NumberFormat(language, { style: 'unit', unit: 'day', maximumFractionDigits: 1 })
  const bars = stages.map(({ stage, medianDays }) => ({
    label: t(`status.${stage}`),
    value: medianDays ?? 0,
    text: medianDays === null ? '–' : format.format(medianDays),
  }))
  return (
    <Section title={t('insights.times')}>
      <Bars caption={t('insights.times')} bars={bars} />
      <p className="quiet">{t('insights.timesNote')}</p>
    </Section>
  )
}

function SkillCharts({ demand: { top, gaps, resume } }: { readonly demand: SkillDemand }) {
  const { t } = usePage()
  return (
    <>
      <Section title={t('insights.skills')}>
        {top.length === 0 && <p className="quiet">{t('insights.noSkills')}</p>}
        <Bars
          caption={t('insights.skills')}
          bars={top.map(({ skill, matchCount, required }) => ({
            label: skill,
            value: matchCount,
            strong: required,
            text: t('insights.required', { count: matchCount, required }),
          }))}
        />
      </Section>
      <Section title={t('insights.gaps')}>
        {resume ? (
          <Bars
            caption={t('insights.gaps')}
            bars={gaps.map(({ skill, mentionCount }) => ({ label: skill, value: mentionCount }))}
          />
        ) : (
          <p className="quiet">
            {t('match.needsResume')} <PageLink to="resumes">{t('tab.resumes')}</PageLink>
          </p>
        )}
      </Section>
    </>
  )
}

/** Most sources are names that every language has. */
function sourceName(t: ReturnType<typeof usePage>['t'], source: string): string {
  if (source !== 'manual' && source !== 'email' && source !== 'web') return source
  return t(`source.${source}`)
}

function ResponseCharts({ rates: { bySource, byResume } }: { readonly rates: ResponseRates }) {
  const { t } = usePage()
  const toBar = (label: string, { applied, responded }: { applied: number; responded: number }) => ({
    label,
    value: applied,
    strong: responded,
    text: t('insights.responded', { applied, responded }),
  })
  return (
    <>
      <Section title={t('insights.bySource')}>
        {bySource.length === 0 && <p className="quiet">{t('insights.noApplications')}</p>}
        <Bars
          caption={t('insights.bySource')}
          bars={bySource.map((row) => toBar(sourceName(t, row.source), row))}
        />
      </Section>
      <Section title={t('insights.byResume')}>
        {byResume.length === 0 && <p className="quiet">{t('insights.noApplications')}</p>}
        <Bars
          caption={t('insights.byResume')}
          bars={byResume.map((row) => {
            const name = row.resume ?? t('insights.unknownResume')
            const version =
              row.version === null ? '' : ` · ${t('tailored.version', { version: row.version })}`
            return toBar(`${name}${version}`, row)
          })}
        />
      </Section>
    </>
  )
}

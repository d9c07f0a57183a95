import type { Nudges } from '../../src/analytics/nudges.ts'
import { formatDay, usePage } from '../page-context.ts'
import { PageLink, Problem, Section } from '../page-parts.tsx'
import { useAction } from '../use-action.ts'

const NEXT_DAYS = 7
const DAY_MS = 86_400_000

/** The applications to ask after. */
export default function FollowUps() {
  const { t, kit } = usePage()
  const { data, error } = kit.useJson<Nudges>('/jobs/analytics/nudges?limit=100')
  return (
    <Section
      title={t('tab.followUps')}
      actions={
        <a className="button" href={kit.url('/jobs/calendar.ics')} download>
          {t('followUp.calendar')}
        </a>
      }
    >
      <Problem message={error?.message} />
      {data?.nudges.length === 0 && <p className="quiet">{t('followUp.none')}</p>}
      <ul className="jobs-list">
        {data?.nudges.map((nudge) => (
          <FollowUp key={nudge.id} nudge={nudge} />
        ))}
      </ul>
    </Section>
  )
}

function FollowUp({ nudge }: { readonly nudge: Nudges['nudges'][number] }) {
  const { t, kit, language } = usePage()
  const { isBusy, error, run } = useAction()
  const { id, title, company, why, silentDays, followUpAt, lastAt } = nudge
  const change = (work: () => Promise<unknown>) => (): void =>
    void run(async () => {
      await work()
      await kit.refresh('/jobs')
    })
  const contacted = change(() => kit.request(`/jobs/${id}/touches`, { body: { kind: 'follow-up' } }))
  const postpone = change(() => {
    const next = new Date(Date.now() + NEXT_DAYS * DAY_MS).toISOString()
    return kit.request(`/jobs/${id}`, { method: 'PATCH', body: { followUpAt: next } })
  })
  return (
    <li className="jobs-follow-up">
      <div>
        <PageLink to={`postings/${id}`}>{title}</PageLink> · {company}
        <p className="quiet">
          {why === 'follow-up' && followUpAt !== undefined
            ? t('followUp.due', { day: formatDay(followUpAt, language) })
            : t('followUp.silent', { days: silentDays, day: formatDay(lastAt, language) })}
        </p>
        <Problem message={error} />
      </div>
      <div className="jobs-actions">
        <button type="button" className="button" disabled={isBusy} onClick={contacted}>
          {t('followUp.done')}
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={postpone}>
          {t('followUp.postpone')}
        </button>
      </div>
    </li>
  )
}

import { useState, type FormEvent } from 'react'

import type { Details } from '../../src/postings/details.ts'
import type { Posting } from '../../src/postings/posting.ts'
import { StatusSelect } from '../board/status-select.tsx'
import { TextArea } from '../form-parts.tsx'
import { formatDay, usePage, type TextKey } from '../page-context.ts'
import { Problem, Section } from '../page-parts.tsx'
import { useAction } from '../use-action.ts'

/** How far the application is, and what the user notes about it. */
export function PostingSide({ details }: { readonly details: Details }) {
  const { t, kit } = usePage()
  const { error, run } = useAction()
  const { job } = details
  const change = (body: object): void =>
    void run(async () => {
      await kit.request(`/jobs/${job.id}`, { method: 'PATCH', body })
      await kit.refresh('/jobs')
    })
  return (
    <aside className="jobs-side" aria-label={t('posting.application')}>
      <Section title={t('posting.application')}>
        <Problem message={error} />
        <div className="jobs-form">
          <label>
            {t('table.status')}
            <StatusSelect
              status={job.status}
              label={t('table.status')}
              onChange={(status) => change({ status })}
            />
          </label>
          <label>
            {t('followUp.title')}
            <input
              className="field"
              type="date"
              value={job.followUpAt?.slice(0, 10) ?? ''}
              onChange={({ target }) => change({ followUpAt: target.value === '' ? null : target.value })}
            />
          </label>
          <Notes key={job.id} job={job} onSave={(notes) => change({ notes })} />
        </div>
      </Section>
      <Contacts details={details} />
      <History details={details} />
    </aside>
  )
}

type NotesProps = { readonly job: Posting; readonly onSave: (notes: string) => void }

function Notes({ job, onSave }: NotesProps) {
  const { t } = usePage()
  const [notes, setNotes] = useState(job.notes ?? '')
  return (
    <>
      <TextArea label={t('posting.notes')} value={notes} onChange={setNotes} rows={4} />
      {notes !== (job.notes ?? '') && (
        <button type="button" className="button" onClick={() => onSave(notes)}>
          {t('save')}
        </button>
      )}
    </>
  )
}

const CONTACT_KINDS = ['email', 'call', 'interview', 'follow-up', 'note'] as const

/** What has been said with the employer. */
function Contacts({ details: { job, touches } }: { readonly details: Details }) {
  const { t, kit, language } = usePage()
  const { error, isBusy, run } = useAction()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const body = Object.fromEntries(new FormData(form))
    void run(async () => {
      await kit.request(`/jobs/${job.id}/touches`, { body })
      form.reset()
      await kit.refresh('/jobs')
    })
  }
  return (
    <Section title={t('contacts.title')}>
      <form className="jobs-contact" onSubmit={submit}>
        <select className="field" name="kind" aria-label={t('contacts.kind')}>
          {CONTACT_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`contacts.${kind}`)}
            </option>
          ))}
        </select>
        <input
          className="field"
          name="note"
          aria-label={t('contacts.text')}
          placeholder={t('contacts.text')}
        />
        <button type="submit" className="button" disabled={isBusy}>
          {t('contacts.add')}
        </button>
      </form>
      <Problem message={error} />
      <ul className="jobs-log">
        {touches.map(({ id, kind, at, note }) => (
          <li key={id}>
            <time dateTime={at}>{formatDay(at, language)}</time> {contactName(t, kind)} {note}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** `applied` is noted by the server. */
function contactName(t: (key: TextKey) => string, kind: string): string {
  const own = CONTACT_KINDS.find((each) => each === kind)
  return own ? t(`contacts.${own}`) : t('status.applied')
}

function History({ details: { history } }: { readonly details: Details }) {
  const { t, language } = usePage()
  return (
    <Section title={t('posting.history')}>
      <ol className="jobs-log">
        {history.map(({ to, at }) => (
          <li key={at}>
            <time dateTime={at}>{formatDay(at, language)}</time> {t(`status.${to}`)}
          </li>
        ))}
      </ol>
    </Section>
  )
}

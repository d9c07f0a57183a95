import { useState } from 'react'

import type { Details } from '../../src/postings/details.ts'
import type { Posting } from '../../src/postings/posting.ts'
import { usePage } from '../page-context.ts'
import { PageLink, Problem, Section } from '../page-parts.tsx'
import { useAction } from '../use-action.ts'
import { Match } from './match.tsx'
import { PostingEditor } from './posting-editor.tsx'
import { PostingSide } from './posting-side.tsx'
import { TailoredList } from './tailored-list.tsx'

/** A posting: how it fits, what it says, and how far the application is. */
export default function PostingView({ id }: { readonly id: string }) {
  const { t, kit } = usePage()
  const { Markdown } = kit
  const { data, error } = kit.useJson<Details>(`/jobs/${id}`)
  if (error) return <Problem message={error.message} />
  if (!data) return <div aria-busy />
  const { job, analysis } = data
  return (
    <>
      <PostingHeader job={job} />
      <div className="jobs-columns">
        <div>
          <Match jobId={job.id} hasText={job.jdMarkdown !== undefined} analysis={analysis} />
          <TailoredList job={job} />
          <Section title={t('posting.description')}>
            {job.jdMarkdown === undefined ? <MissingText job={job} /> : <Markdown text={job.jdMarkdown} />}
          </Section>
        </div>
        <PostingSide details={data} />
      </div>
    </>
  )
}

function PostingHeader({ job }: { readonly job: Posting }) {
  const { t, kit, open } = usePage()
  const { Dialog } = kit
  const [isEdited, setEdited] = useState(false)
  const { error, run } = useAction()
  const { id, title, company, location, workplace, salary, url, starred } = job
  const facts = [company, location, workplace && t(`workplace.${workplace}`), salary?.text].filter(Boolean)
  const star = (): void =>
    void run(async () => {
      await kit.request(`/jobs/${id}/star`, { body: { starred: !starred } })
      await kit.refresh('/jobs')
    })
  const remove = (): void =>
    void run(async () => {
      if (!confirm(t('posting.confirmDelete', { title }))) return
      await kit.request(`/jobs/${id}`, { method: 'DELETE' })
      open('')
      await kit.refresh('/jobs')
    })
  return (
    <header className="jobs-posting-header">
      <PageLink to="">{t('posting.back')}</PageLink>
      <h2>{title}</h2>
      <p>{facts.join(' · ')}</p>
      <div className="jobs-actions">
        <a className="button" href={url} target="_blank" rel="noreferrer noopener">
          {t('posting.open')}
        </a>
        <button type="button" className="button" aria-pressed={starred} onClick={star}>
          {starred ? t('posting.unstar') : t('posting.star')}
        </button>
        <button type="button" className="button" onClick={() => setEdited(true)}>
          {t('posting.edit')}
        </button>
        <button type="button" className="button danger" onClick={remove}>
          {t('delete')}
        </button>
      </div>
      <Problem message={error} />
      <Dialog isOpen={isEdited} title={t('posting.edit')} onClose={() => setEdited(false)}>
        <PostingEditor job={job} onClose={() => setEdited(false)} />
      </Dialog>
    </header>
  )
}

type Enriched = { readonly enriched: number; readonly errors: readonly { readonly error: string }[] }

/** A posting whose page has not been read. */
function MissingText({ job }: { readonly job: Posting }) {
  const { t, kit } = usePage()
  const { isBusy, error, run } = useAction()
  const read = (): void =>
    void run(async () => {
      const { errors } = await kit.request<Enriched>(`/jobs/${job.id}/enrich`, { method: 'POST' })
      await kit.refresh('/jobs')
      const [failure] = errors
      if (failure) throw new Error(failure.error)
    })
  return (
    <>
      <p className="quiet">{t('posting.noText')}</p>
      <button type="button" className="button" disabled={isBusy} onClick={read}>
        {isBusy ? t('add.reading') : t('posting.read')}
      </button>
      <Problem message={error} />
    </>
  )
}

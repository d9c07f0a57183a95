import { useState } from 'react'

import type { Posting } from '../../src/postings/posting.ts'
import type { Difference } from '../../src/tailoring/difference-shape.ts'
import type { Version } from '../../src/tailoring/version.ts'
import { PdfPreview } from '../documents/pdf-preview.tsx'
import { usePage } from '../page-context.ts'
import { PageLink, Problem, Section } from '../page-parts.tsx'
import { useAction } from '../use-action.ts'
import { DifferenceView } from './difference-view.tsx'
import { DraftForm } from './draft-form.tsx'
import { TruthCheck } from './truth-check.tsx'

type TailoredViewProps = { readonly jobId: string; readonly versionId: string }

/** A version of a resume for one posting: what was changed, whether it is true, and how it looks. */
export default function TailoredView({ jobId, versionId }: TailoredViewProps) {
  const { t, kit } = usePage()
  const details = kit.useJson<{ job: Posting }>(`/jobs/${jobId}`)
  const { data, error } = kit.useJson<{ version: Version }>(`/jobs/tailor/${jobId}/versions/${versionId}`)
  const difference = kit.useJson<Difference>(`/jobs/tailor/${versionId}/diff`)
  const problem = error ?? details.error ?? difference.error
  if (problem) return <Problem message={problem.message} />
  if (!data || !details.data || !difference.data) return <div aria-busy />
  const { version } = data
  const { job } = details.data
  const query = `resumeId=${version.resumeId}&version=${version.version}`
  return (
    <>
      <header className="jobs-posting-header">
        <PageLink to={`postings/${jobId}`}>{t('tailored.back')}</PageLink>
        <h2>{t('tailored.heading', { version: version.version, title: job.title, company: job.company })}</h2>
        <VersionActions version={version} />
      </header>
      <div className="jobs-columns even">
        <div>
          <TruthCheck truth={version.truth} />
          <Section title={t('tailored.changes')}>
            <DifferenceView difference={difference.data} />
          </Section>
          <Suggestions version={version} />
        </div>
        <Section title={t('document.preview')}>
          <PdfPreview path={`/jobs/tailor/${jobId}`} query={query} />
        </Section>
      </div>
    </>
  )
}

/** Editing, restoring and deleting a version. */
function VersionActions({ version }: { readonly version: Version }) {
  const { t, kit, open } = usePage()
  const { isBusy, error, run } = useAction()
  const [draft, setDraft] = useState<string>()
  const { id, jobId, isLatest, content } = version
  const follow = (path: string, options: { method: 'PUT' | 'POST'; body?: object }): void =>
    void run(async () => {
      const { id: next } = await kit.request<{ id: number }>(path, options)
      await kit.refresh('/jobs')
      setDraft(undefined)
      open(`postings/${jobId}/tailored/${next}`)
    })
  const remove = (): void =>
    void run(async () => {
      if (!confirm(t('tailored.confirmDelete'))) return
      await kit.request(`/jobs/tailor/${id}`, { method: 'DELETE' })
      open(`postings/${jobId}`)
      await kit.refresh('/jobs')
    })
  return (
    <>
      <div className="jobs-actions">
        <button type="button" className="button" onClick={() => setDraft(content)}>
          {t('edit')}
        </button>
        {!isLatest && (
          <button
            type="button"
            className="button"
            disabled={isBusy}
            onClick={() => follow(`/jobs/tailor/${id}/restore`, { method: 'POST' })}
          >
            {t('restore')}
          </button>
        )}
        <button type="button" className="button danger" disabled={isBusy} onClick={remove}>
          {t('delete')}
        </button>
      </div>
      {draft !== undefined && (
        <DraftForm
          text={draft}
          isBusy={isBusy}
          onSave={(text) => follow(`/jobs/tailor/${id}`, { method: 'PUT', body: { content: text } })}
          onCancel={() => setDraft(undefined)}
        />
      )}
      <Problem message={error} />
    </>
  )
}

function Suggestions({ version: { suggestions } }: { readonly version: Version }) {
  const { t } = usePage()
  if (suggestions.length === 0) return null
  return (
    <Section title={t('tailored.suggestions')}>
      <ul>
        {suggestions.map(({ suggested, reason, doubtful }) => (
          <li key={suggested}>
            {suggested} <span className="quiet">{reason}</span>
            {doubtful && <strong> {t('tailored.doubtful')}</strong>}
          </li>
        ))}
      </ul>
    </Section>
  )
}

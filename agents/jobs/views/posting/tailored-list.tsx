import { useState } from 'react'

import type { Posting } from '../../src/postings/posting.ts'
import type { Resume } from '../../src/resumes/resume.ts'
import type { Summary } from '../../src/tailoring/version.ts'
import { formatDay, usePage } from '../page-context.ts'
import { PageLink, Problem, Section } from '../page-parts.tsx'
import { NeedsModel } from '../needs-model.tsx'
import { DraftForm } from '../tailored/draft-form.tsx'
import { useAction } from '../use-action.ts'
import { useHasModel } from '../use-model.ts'

type Tailored = { readonly id: number }

/** The versions of resumes for one posting, and ways to make one: by a model, or by hand. */
export function TailoredList({ job }: { readonly job: Posting }) {
  const { t, kit, open } = usePage()
  const { isBusy, error, run } = useAction()
  const { data } = kit.useJson<{ versions: readonly Summary[] }>(`/jobs/tailor/${job.id}/versions`)
  const [draft, setDraft] = useState<string>()
  const hasModel = useHasModel()
  const create = (body: object): void =>
    void run(async () => {
      const { id } = await kit.request<Tailored>(`/jobs/tailor/${job.id}`, { body })
      await kit.refresh('/jobs')
      open(`postings/${job.id}/tailored/${id}`)
    })
  const startDraft = (): void =>
    void run(async () => {
      const resume = await defaultResume(kit.request)
      if (!resume) throw new Error(t('match.needsResume'))
      setDraft(resume.content)
    })
  const versions = data?.versions ?? []
  return (
    <Section title={t('tailored.title')}>
      <VersionList versions={versions} />
      {draft === undefined ? (
        <div className="jobs-actions">
          <button
            type="button"
            className={hasModel ? 'button primary' : 'button'}
            disabled={isBusy || !hasModel || job.jdMarkdown === undefined}
            onClick={() => create({ forceNew: versions.length > 0 })}
          >
            {isBusy ? t('tailored.working') : t('tailored.byModel')}
          </button>
          <button
            type="button"
            className={hasModel ? 'button' : 'button primary'}
            disabled={isBusy}
            onClick={startDraft}
          >
            {t('tailored.byHand')}
          </button>
        </div>
      ) : (
        <DraftForm
          text={draft}
          note={t('tailored.byHandNote')}
          isBusy={isBusy}
          onSave={(content) => create({ content })}
          onCancel={() => setDraft(undefined)}
        />
      )}
      {!hasModel && <NeedsModel />}
      <Problem message={error} />
    </Section>
  )
}

function VersionList({ versions }: { readonly versions: readonly Summary[] }) {
  const { t, language } = usePage()
  if (versions.length === 0) return <p className="quiet">{t('tailored.none')}</p>
  return (
    <ul className="jobs-list">
      {versions.map(({ id, jobId, version, createdAt, openMarks, isLatest }) => (
        <li key={id}>
          <PageLink to={`postings/${jobId}/tailored/${id}`}>{t('tailored.version', { version })}</PageLink>{' '}
          <span className="quiet">
            {formatDay(createdAt, language)}
            {isLatest && ` · ${t('tailored.latest')}`}
            {openMarks > 0 && ` · ${t('tailored.openMarks', { count: openMarks })}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The resume that postings are compared with, if there is one. */
async function defaultResume(request: <T>(path: string) => Promise<T>): Promise<Resume | undefined> {
  const { resumes } = await request<{ resumes: readonly Resume[] }>('/jobs/resumes?limit=100')
  const chosen = resumes.find(({ isDefault }) => isDefault)
  if (!chosen) return undefined
  return (await request<{ resume: Resume }>(`/jobs/resumes/${chosen.id}`)).resume
}

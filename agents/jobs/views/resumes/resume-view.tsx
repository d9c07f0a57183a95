import { useState, type FormEvent } from 'react'

import type { Resume, ResumeVersion } from '../../src/resumes/resume.ts'
import { PdfPreview } from '../documents/pdf-preview.tsx'
import { SubmitButton, TextArea } from '../form-parts.tsx'
import { formatDay, usePage } from '../page-context.ts'
import { PageLink, Problem, Section } from '../page-parts.tsx'
import { useAction } from '../use-action.ts'

/** A resume: its text, and how it looks as a document. */
export default function ResumeView({ id }: { readonly id: string }) {
  const { t, kit } = usePage()
  const { data, error } = kit.useJson<{ resume: Resume }>(`/jobs/resumes/${id}`)
  if (error) return <Problem message={error.message} />
  if (!data) return <div aria-busy />
  const { resume } = data
  return (
    <>
      <header className="jobs-posting-header">
        <PageLink to="resumes">{t('resumes.back')}</PageLink>
        <h2>{resume.name}</h2>
        <ResumeActions resume={resume} />
      </header>
      <div className="jobs-columns even">
        <div>
          <Editor key={resume.version} resume={resume} />
          <Versions resume={resume} />
        </div>
        <Section title={t('document.preview')}>
          <PdfPreview path={`/jobs/resumes/${id}`} query={`at=${resume.version}`} />
        </Section>
      </div>
    </>
  )
}

function ResumeActions({ resume: { id, name, isDefault } }: { readonly resume: Resume }) {
  const { t, kit, open } = usePage()
  const { isBusy, error, run } = useAction()
  const makeDefault = (): void =>
    void run(async () => {
      await kit.request(`/jobs/resumes/${id}/set-default`, { method: 'POST' })
      await kit.refresh('/jobs')
    })
  const remove = (): void =>
    void run(async () => {
      if (!confirm(t('resumes.confirmDelete', { name }))) return
      await kit.request(`/jobs/resumes/${id}`, { method: 'DELETE' })
      open('resumes')
      await kit.refresh('/jobs')
    })
  return (
    <>
      <div className="jobs-actions">
        {isDefault ? (
          <span className="quiet">{t('resumes.default')}</span>
        ) : (
          <button type="button" className="button" disabled={isBusy} onClick={makeDefault}>
            {t('resumes.makeDefault')}
          </button>
        )}
        <button type="button" className="button danger" disabled={isBusy} onClick={remove}>
          {t('delete')}
        </button>
      </div>
      <Problem message={error} />
    </>
  )
}

/** The Markdown of a resume. A version that another tab has saved meanwhile is not overwritten. */
function Editor({ resume }: { readonly resume: Resume }) {
  const { t, kit } = usePage()
  const { isBusy, error, run } = useAction()
  const [name, setName] = useState(resume.name)
  const [content, setContent] = useState(resume.content)
  const isChanged = name !== resume.name || content !== resume.content
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void run(async () => {
      const { id, version } = resume
      const body = {
        version,
        ...(name !== resume.name && { name }),
        ...(content !== resume.content && { content }),
      }
      await kit.request(`/jobs/resumes/${id}`, { method: 'PATCH', body })
      await kit.refresh('/jobs')
    })
  }
  return (
    <Section title={t('resumes.text')}>
      {resume.parseErrors.length > 0 && <p className="notice">{resume.parseErrors.join(' ')}</p>}
      <form className="jobs-form" onSubmit={submit}>
        <label>
          {t('resumes.name')}
          <input className="field" required value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <TextArea
          label={t('resumes.markdown')}
          value={content}
          onChange={setContent}
          rows={24}
          isEditor
          isRequired
        />
        <Problem message={error} />
        <SubmitButton label={t('save')} isDisabled={!isChanged || isBusy} />
      </form>
    </Section>
  )
}

/** Earlier texts of a resume. */
function Versions({ resume }: { readonly resume: Resume }) {
  const { t, kit, language } = usePage()
  const { isBusy, error, run } = useAction()
  const path = `/jobs/resumes/${resume.id}/versions`
  const { data } = kit.useJson<{ versions: readonly ResumeVersion[] }>(`${path}?limit=20`)
  const earlier = (data?.versions ?? []).filter(({ version }) => version !== resume.version)
  if (earlier.length === 0) return null
  const restore = (version: number): void =>
    void run(async () => {
      await kit.request(`${path}/${version}/restore`, { method: 'POST' })
      await kit.refresh('/jobs')
    })
  return (
    <Section title={t('resumes.versions')}>
      <Problem message={error} />
      <ul className="jobs-list">
        {earlier.map(({ version, createdAt }) => (
          <li key={version}>
            {t('tailored.version', { version })}{' '}
            <span className="quiet">{formatDay(createdAt, language)}</span>{' '}
            <button type="button" className="button" disabled={isBusy} onClick={() => restore(version)}>
              {t('restore')}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

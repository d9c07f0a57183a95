import { useState, type ChangeEvent, type FormEvent } from 'react'

import type { ResumeSummary } from '../../src/resumes/resume.ts'
import { SubmitButton, TextArea } from '../form-parts.tsx'
import { formatDay, usePage } from '../page-context.ts'
import { PageLink, Problem, Section } from '../page-parts.tsx'
import { useAction } from '../use-action.ts'

type Saved = { readonly resume: { readonly id: number } }

/** The resumes of the user, and ways to add one. */
export default function ResumeList() {
  const { t, kit, language } = usePage()
  const { data, error } = kit.useJson<{ resumes: readonly ResumeSummary[] }>('/jobs/resumes?limit=100')
  const resumes = data?.resumes ?? []
  return (
    <div className="jobs-columns">
      <Section title={t('tab.resumes')}>
        <Problem message={error?.message} />
        {data && resumes.length === 0 && <p className="quiet">{t('resumes.none')}</p>}
        <ul className="jobs-list">
          {resumes.map(({ id, name, isDefault, updatedAt, version, parseStatus }) => (
            <li key={id}>
              <PageLink to={`resumes/${id}`}>{name}</PageLink>{' '}
              <span className="quiet">
                {isDefault && `${t('resumes.default')} · `}
                {t('tailored.version', { version })} · {formatDay(updatedAt, language)}
                {parseStatus !== 'success' && ` · ${t('resumes.partial')}`}
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <AddResume />
    </div>
  )
}

/** A PDF, a Word file or Markdown becomes a resume; or its text is pasted. */
function AddResume() {
  const { t, kit, open } = usePage()
  const { isBusy, error, run } = useAction()
  const [content, setContent] = useState('')
  const add = (body: object): void =>
    void run(async () => {
      const { resume } = await kit.request<Saved>('/jobs/resumes', { body })
      await kit.refresh('/jobs')
      open(`resumes/${resume.id}`)
    })
  const upload = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0]
    if (!file) return
    const form = new FormData()
    form.set('file', file)
    add(form)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add({ content })
  }
  return (
    <Section title={t('resumes.add')}>
      <form className="jobs-form" onSubmit={submit}>
        <label>
          {t('resumes.file')}
          <input type="file" accept=".pdf,.docx,.md,.txt,.json" disabled={isBusy} onChange={upload} />
        </label>
        <TextArea label={t('resumes.paste')} value={content} onChange={setContent} rows={8} isRequired />
        <Problem message={error} />
        <SubmitButton label={isBusy ? t('resumes.reading') : t('resumes.add')} isDisabled={isBusy} />
      </form>
    </Section>
  )
}

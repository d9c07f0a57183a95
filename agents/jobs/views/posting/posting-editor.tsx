import { useId, useState, type FormEvent } from 'react'

import type { Posting } from '../../src/postings/posting.ts'
import { Choice } from '../choice.tsx'
import { SubmitButton } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import { Problem } from '../page-parts.tsx'
import { useAction } from '../use-action.ts'

const LINES = ['title', 'company', 'location', 'salary', 'employmentType', 'url'] as const
const WORKPLACES = ['', 'remote', 'hybrid', 'onsite'] as const

type Line = (typeof LINES)[number]
type Fields = Readonly<Record<Line, string>> & { readonly workplace: Posting['workplace'] | '' }

type PostingEditorProps = { readonly job: Posting; readonly onClose: () => void }

/** The facts of a posting, to be corrected. What the server refuses is said next to its field. */
export function PostingEditor({ job, onClose }: PostingEditorProps) {
  const { t, kit } = usePage()
  const { isBusy, error, field, run } = useAction()
  const [before] = useState(() => fieldsOf(job))
  const [fields, setFields] = useState(before)
  const change = (part: Partial<Fields>): void => setFields({ ...fields, ...part })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const body = changesOf(before, fields)
    const isSaved = await run(async () => {
      await kit.request(`/jobs/${job.id}`, { method: 'PATCH', body })
      await kit.refresh('/jobs')
    })
    if (isSaved) onClose()
  }
  const isShown = LINES.some((name) => name === field)
  return (
    <form className="jobs-form" onSubmit={(event) => void submit(event)} noValidate>
      {LINES.map((name) => (
        <TextLine
          key={name}
          label={t(`field.${name}`)}
          value={fields[name]}
          onChange={(value) => change({ [name]: value })}
          problem={field === name ? error : undefined}
        />
      ))}
      <Choice
        label={t('field.workplace')}
        value={fields.workplace ?? ''}
        options={WORKPLACES.map((place) => [
          place,
          place === '' ? t('field.unknown') : t(`workplace.${place}`),
        ])}
        onChange={(workplace) => change({ workplace })}
      />
      <Problem message={isShown ? undefined : error} />
      <SubmitButton label={t('save')} isDisabled={isBusy} />
    </form>
  )
}

type TextLineProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Why it is refused. */
  readonly problem: string | undefined
}

function TextLine({ label, value, onChange, problem }: TextLineProps) {
  const problemId = useId()
  return (
    <label>
      {label}
      <input
        className="field"
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem !== undefined && (
        <span id={problemId} className="jobs-field-problem" role="alert">
          {problem}
        </span>
      )}
    </label>
  )
}

function fieldsOf(job: Posting): Fields {
  const { title, company, location, salary, employmentType = '', url, workplace = '' } = job
  return { title, company, location, salary: salary?.text ?? '', employmentType, url, workplace }
}

/** What has been changed. An empty field clears what was known. */
function changesOf(before: Fields, after: Fields): Readonly<Record<string, string | null>> {
  const names = [...LINES, 'workplace'] as const
  const changes = names.filter((name) => before[name] !== after[name])
  return Object.fromEntries(
    changes.map((name) => [name, name === 'workplace' && after[name] === '' ? null : (after[name] ?? null)]),
  )
}

import { useState, type ChangeEvent, type FormEvent } from 'react'

import { usePage } from '../page-context.ts'
import { Problem } from '../page-parts.tsx'
import { useAction } from '../use-action.ts'
import type { AddFormProps } from './add-dialog.tsx'

type Saved = { readonly job: { readonly id: number } }

/** A page that the user has copied or saved, as text or HTML. */
export function PageForm({ onAdd }: AddFormProps) {
  const { t, kit } = usePage()
  const { isBusy, error, run } = useAction()
  const [url, setUrl] = useState('')
  const [content, setContent] = useState('')
  const readFile = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const html = (await target.files?.[0]?.text()) ?? ''
    setContent(html)
    const address = addressIn(html)
    if (address !== undefined) setUrl((before) => (before === '' ? address : before))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void run(async () => {
      const { job } = await kit.request<Saved>('/jobs/ingest', { body: { url, content } })
      await kit.refresh('/jobs')
      onAdd(job.id)
    })
  }
  return (
    <form className="jobs-form" onSubmit={submit}>
      <label>
        {t('add.file')}
        <input
          type="file"
          accept=".html,.htm,.txt,text/html,text/plain"
          onChange={(event) => void readFile(event)}
        />
      </label>
      <label>
        {t('add.content')}
        <textarea
          className="field"
          rows={7}
          required
          value={content}
          onChange={(event) => setContent(event.target.value)}
        />
      </label>
      <label>
        {t('add.address')}
        <input
          className="field"
          type="url"
          required
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </label>
      <Problem message={error} />
      <div className="jobs-actions">
        <button type="submit" className="button primary" disabled={isBusy}>
          {t('add.submit')}
        </button>
      </div>
    </form>
  )
}

/** The address that a saved page gives itself. */
function addressIn(html: string): string | undefined {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const link = page.querySelector('link[rel=canonical]')?.getAttribute('href')
  const address = link ?? page.querySelector('meta[property="og:url"]')?.getAttribute('content')
  return address !== null && address !== undefined && /^https?:/.test(address) ? address : undefined
}

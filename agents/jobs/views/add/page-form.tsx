import { useState, type ChangeEvent, type FormEvent } from 'react'

import { AddressField, SubmitButton, TextArea } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import { Problem } from '../page-parts.tsx'
import type { AddFormProps } from './add-dialog.tsx'
import { usePostingRequest } from './use-posting-request.ts'

/** A page that the user has copied or saved, as text or HTML. */
export function PageForm({ onAdd }: AddFormProps) {
  const { t } = usePage()
  const { isBusy, error, add } = usePostingRequest(onAdd)
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
    add('/jobs/ingest', { url, content })
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
      <TextArea label={t('add.content')} value={content} onChange={setContent} rows={7} isRequired />
      <AddressField label={t('add.address')} value={url} onChange={setUrl} />
      <Problem message={error} />
      <SubmitButton label={t('add.submit')} isDisabled={isBusy} />
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

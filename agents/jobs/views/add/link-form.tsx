import { useState, type FormEvent } from 'react'

import { usePage } from '../page-context.ts'
import { Problem } from '../page-parts.tsx'
import { useAction } from '../use-action.ts'
import type { AddFormProps } from './add-dialog.tsx'

type Saved = { readonly job: { readonly id: number } }

/** The server reads the page of an address. */
export function LinkForm({ onAdd }: AddFormProps) {
  const { t, kit } = usePage()
  const { isBusy, error, run } = useAction()
  const [url, setUrl] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void run(async () => {
      const { job } = await kit.request<Saved>('/jobs/import', { body: { url } })
      await kit.refresh('/jobs')
      onAdd(job.id)
    })
  }
  return (
    <form className="jobs-form" onSubmit={submit}>
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
      <p className="quiet">{t('add.linkNote')}</p>
      <Problem message={error} />
      <div className="jobs-actions">
        <button type="submit" className="button primary" disabled={isBusy}>
          {isBusy ? t('add.reading') : t('add.submit')}
        </button>
      </div>
    </form>
  )
}

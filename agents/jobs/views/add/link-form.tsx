import { useState, type FormEvent } from 'react'

import { AddressField, SubmitButton } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import { Problem } from '../page-parts.tsx'
import type { AddFormProps } from './add-dialog.tsx'
import { usePostingRequest } from './use-posting-request.ts'

/** The server reads the page of an address. */
export function LinkForm({ onAdd }: AddFormProps) {
  const { t } = usePage()
  const { isBusy, error, add } = usePostingRequest(onAdd)
  const [url, setUrl] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add('/jobs/import', { url })
  }
  return (
    <form className="jobs-form" onSubmit={submit}>
      <AddressField label={t('add.address')} value={url} onChange={setUrl} />
      <p className="quiet">{t('add.linkNote')}</p>
      <Problem message={error} />
      <SubmitButton label={isBusy ? t('add.reading') : t('add.submit')} isDisabled={isBusy} />
    </form>
  )
}

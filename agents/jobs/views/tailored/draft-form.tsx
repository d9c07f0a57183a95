import { useState } from 'react'

import { TextArea } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'

type DraftFormProps = {
  readonly text: string
  readonly note?: string
  readonly isBusy: boolean
  readonly onSave: (text: string) => void
  readonly onCancel: () => void
}

/** Edits a tailored resume before it becomes a version. */
export function DraftForm({ text, note, isBusy, onSave, onCancel }: DraftFormProps) {
  const { t } = usePage()
  const [draft, setDraft] = useState(text)
  return (
    <div className="jobs-form">
      <TextArea label={t('tailored.content')} value={draft} onChange={setDraft} rows={18} isEditor />
      {note !== undefined && <p className="quiet">{note}</p>}
      <div className="jobs-actions">
        <button type="button" className="button primary" disabled={isBusy} onClick={() => onSave(draft)}>
          {t('save')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {t('cancel')}
        </button>
      </div>
    </div>
  )
}

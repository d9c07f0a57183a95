import { useState, type ChangeEvent, type FormEvent } from 'react'

import { SubmitButton, TextArea } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import { Problem } from '../page-parts.tsx'
import { useAction } from '../use-action.ts'
import { importRows, readCsv, type ImportResult } from './import-csv.ts'

/** A table of postings, a line for each. */
export function CsvForm() {
  const { t, kit } = usePage()
  const { isBusy, error, run } = useAction()
  const [text, setText] = useState('')
  const [done, setDone] = useState(0)
  const [result, setResult] = useState<ImportResult>()
  const rows = text.trim() === '' ? [] : readCsv(text)
  const readFile = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    setResult(undefined)
    setText((await target.files?.[0]?.text()) ?? '')
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void run(async () => setResult(await importRows(kit, rows, setDone)))
  }
  return (
    <form className="jobs-form" onSubmit={submit}>
      <label>
        {t('add.csvFile')}
        <input type="file" accept=".csv,text/csv" onChange={(event) => void readFile(event)} />
      </label>
      <TextArea
        label={t('add.csvText')}
        value={text}
        onChange={setText}
        rows={6}
        placeholder={'title,company,url,location,salary,status,notes\n'}
      />
      <p className="quiet">{t('add.csvNote')}</p>
      <Problem message={error} />
      {result && <Report result={result} />}
      <SubmitButton
        label={
          isBusy ? t('add.csvDone', { done, count: rows.length }) : t('add.csvSubmit', { count: rows.length })
        }
        isDisabled={isBusy || rows.length === 0}
      />
    </form>
  )
}

function Report({ result: { added, existing, errors } }: { readonly result: ImportResult }) {
  const { t } = usePage()
  return (
    <div className="notice calm" role="status">
      <div>
        <p>{t('add.csvResult', { added, existing })}</p>
        {errors.length > 0 && (
          <ul>
            {errors.map(({ line, message }) => (
              <li key={line}>{t('add.csvError', { line, message })}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

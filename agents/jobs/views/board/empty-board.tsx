import { useState } from 'react'

import { addExamples } from '../add/add-examples.ts'
import { usePage } from '../page-context.ts'
import { PageLink, Problem } from '../page-parts.tsx'
import { useAction } from '../use-action.ts'

/** What to do first. */
export function EmptyBoard() {
  const { t, kit, language } = usePage()
  const { isBusy, error, run } = useAction()
  const [progress, setProgress] = useState<number>()
  const add = (): void => void run(() => addExamples(kit, language, setProgress))
  return (
    <div className="jobs-empty">
      <h2>{t('empty.title')}</h2>
      <p className="quiet">{t('empty.note')}</p>
      <div className="jobs-actions">
        <button type="button" className="button" disabled={isBusy} onClick={add}>
          {isBusy ? t('empty.adding', { count: progress ?? 0 }) : t('empty.examples')}
        </button>
        <PageLink to="resumes" className="button">
          {t('empty.resume')}
        </PageLink>
      </div>
      <Problem message={error} />
    </div>
  )
}

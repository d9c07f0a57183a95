import type { PageProps } from '@dragoman/console/view'
import { useState } from 'react'

import { ConfirmDialog } from './confirm-dialog.tsx'
import { translatorOf } from './translator.ts'
import { useSave } from './use-save.ts'

/** Everything that the agent keeps of its user: to take along, and to erase. */
export function PrivacyTab({ kit, language }: PageProps) {
  const t = translatorOf(language)
  const { data: caller } = kit.useJson<{ guest?: boolean }>('/auth/verify')
  const { data: all } = kit.useJson<{ total: number }>('/life/memories?limit=1')
  const { save } = useSave(kit, language)
  const [isAsking, setAsking] = useState(false)
  const [isErased, setErased] = useState(false)
  if (!caller || !all) return <p className="quiet">{t('loading')}</p>
  const isGuest = caller.guest === true
  const erase = async () => {
    const refused = await save('/life/everything', { method: 'DELETE' })
    if (refused) return refused
    setErased(true)
    // The conversations of a guest are gone too.
    await kit.refresh('/v1')
    return undefined
  }
  return (
    <>
      {isGuest && <p className="notice calm">{t('privacy.isGuest')}</p>}
      <section className="life-card">
        <h3>{t('privacy.export')}</h3>
        <p>{t(isGuest ? 'privacy.exportGuest' : 'privacy.exportNote')}</p>
        <a className="button" href={kit.url('/life/export')} download="life.json">
          {t('privacy.exportButton')}
        </a>
      </section>
      <section className="life-card">
        <h3>{t('privacy.erase')}</h3>
        <p>{t('privacy.eraseNote')}</p>
        <button type="button" className="button danger" onClick={() => setAsking(true)}>
          {t('privacy.eraseButton')}
        </button>
        <p className="life-status" role="status">
          {isErased ? t('privacy.erased') : ''}
        </p>
      </section>
      <ConfirmDialog
        kit={kit}
        language={language}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('privacy.eraseTitle')}
        action={t('privacy.eraseButton')}
        onConfirm={erase}
      >
        <p>{t('privacy.goes')}</p>
        <ul>
          <li>{t('privacy.goesProfile')}</li>
          <li>{t('privacy.goesMemories', { count: all.total })}</li>
          <li>{t('privacy.goesGreetings')}</li>
          {isGuest && <li>{t('privacy.goesThreads')}</li>}
        </ul>
        {!isGuest && <p className="quiet">{t('privacy.threadsStay')}</p>}
      </ConfirmDialog>
    </>
  )
}

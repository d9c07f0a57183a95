import type { PageProps } from '@dragoman/console/view'
import { useEffect, useRef, useState } from 'react'

import type { Memory } from '../src/memories/memory.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { MemorySearch } from './memory-search.tsx'
import { MemorySwitch } from './memory-switch.tsx'
import { translatorOf } from './translator.ts'
import { useProfile } from './use-profile.ts'
import { useSave } from './use-save.ts'

/** What the agent remembers: to read, to search, to add and to forget. */
export function MemoryTab({ kit, language }: PageProps) {
  const t = translatorOf(language)
  const { data: profile } = useProfile(kit)
  const { data: all } = kit.useJson<{ total: number }>('/life/memories?limit=1')
  const { save, refusal } = useSave(kit, language)
  const [forgotten, setForgotten] = useState('')
  const [isAsking, setAsking] = useState(false)
  const headingRef = useFocusAfterDeletion(all?.total, isAsking)
  if (!profile || !all) return <p className="quiet">{t('loading')}</p>
  const { total } = all
  const forget = async ({ id, content }: Memory): Promise<void> => {
    const refused = await save(`/life/memories/${id}`, { method: 'DELETE' })
    if (!refused) setForgotten(t('memory.forgotten', { content }))
  }
  return (
    <>
      <MemorySwitch kit={kit} language={language} profile={profile} />
      <section className="life-card" aria-label={t('tab.memory')}>
        <div className="life-list-head">
          <h3 ref={headingRef} tabIndex={-1}>
            {t('memory.count', { count: total })}
          </h3>
          {total > 0 && (
            <button type="button" className="button danger" onClick={() => setAsking(true)}>
              {t('memory.deleteAll')}
            </button>
          )}
        </div>
        <MemorySearch kit={kit} language={language} total={total} onForget={forget} />
        <p className="life-status" role="status">
          {forgotten}
        </p>
        {refusal && (
          <p className="notice error" role="alert">
            {refusal.message}
          </p>
        )}
      </section>
      <ConfirmDialog
        kit={kit}
        language={language}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('memory.deleteAllTitle')}
        action={t('memory.deleteAll')}
        onConfirm={() => save('/life/memories', { method: 'DELETE' })}
      >
        <p>{t('memory.deleteAllNote', { count: total })}</p>
      </ConfirmDialog>
    </>
  )
}

/** The button of a memory goes with it: the focus moves to the heading, once no dialog holds it. */
function useFocusAfterDeletion(total: number | undefined, isAsking: boolean) {
  const headingRef = useRef<HTMLHeadingElement>(null)
  const lastTotal = useRef(0)
  useEffect(() => {
    if (isAsking || total === undefined) return
    if (total < lastTotal.current) headingRef.current?.focus()
    lastTotal.current = total
  }, [total, isAsking])
  return headingRef
}

import type { LogEntry } from '@dragoman/client'
import { useEffect, useRef } from 'react'
import { VList, type VListHandle } from 'virtua'

import { formatNumber } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { entryText } from './run-facts.ts'

/** The log: every entry with its number, and the time since the first one. */
export function LogPane({ log }: { readonly log: readonly LogEntry[] }) {
  const { t, language } = useTranslate()
  const list = useRef<VListHandle>(null)
  useEffect(() => {
    if (log.length > 0) list.current?.scrollToIndex(log.length - 1, { align: 'end' })
  }, [log.length])
  const start = log[0]?.at ?? 0
  return (
    <section className="pane" aria-label={t('inspector.log')}>
      <header>
        <h3>{t('inspector.log')}</h3>
        <span className="quiet">{t('inspector.entryCount', { count: log.length })}</span>
      </header>
      <VList ref={list} className="pane-lines" tabIndex={0}>
        {log.map((entry) => (
          <div key={entry.seq} className="log-entry">
            <span className="quiet">{entry.seq}</span>
            <span className="quiet">+{formatNumber(entry.at - start, language)}</span>
            <strong>{entry.event.type}</strong>
            <span className="log-fields">{entryText(entry)}</span>
          </div>
        ))}
      </VList>
    </section>
  )
}

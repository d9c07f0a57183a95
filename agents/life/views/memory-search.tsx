import type { ConsoleKit } from '@dragoman/console/view'
import { useDeferredValue, useState } from 'react'

import type { Memory } from '../src/memories/memory.ts'
import { MemoryList } from './memory-list.tsx'
import { translatorOf } from './translator.ts'

type MemorySearchProps = {
  readonly kit: ConsoleKit
  readonly language: string
  readonly total: number
  readonly onForget: (memory: Memory) => Promise<void>
}

/** The memories, or those with some words. */
export function MemorySearch({ kit, language, total, onForget }: MemorySearchProps) {
  const t = translatorOf(language)
  const [search, setSearch] = useState('')
  const words = useDeferredValue(search.trim())
  if (total === 0) return <p className="quiet">{t('memory.empty')}</p>
  return (
    <>
      <input
        type="search"
        className="field"
        aria-label={t('memory.search')}
        placeholder={t('memory.search')}
        value={search}
        maxLength={200}
        onChange={({ target }) => setSearch(target.value)}
      />
      <MemoryList key={words} kit={kit} language={language} words={words} onForget={onForget} />
    </>
  )
}

import type { ConsoleKit } from '@dragoman/console/view'
import { useState } from 'react'

import type { Memory } from '../src/memories/memory.ts'
import { translatorOf } from './translator.ts'

const PAGE_LENGTH = 50

type MemoryListProps = {
  readonly kit: ConsoleKit
  readonly language: string
  /** Only memories with all of these. */
  readonly words: string
  /** The last memory of the page before. */
  readonly before?: string
  readonly onForget: (memory: Memory) => Promise<void>
}

/** A page of memories, newest first, and the next ones on demand. */
export function MemoryList({ kit, language, words, before, onForget }: MemoryListProps) {
  const t = translatorOf(language)
  const [isMore, setMore] = useState(false)
  const query = new URLSearchParams({
    limit: String(PAGE_LENGTH),
    ...(words !== '' && { words }),
    ...(before !== undefined && { before }),
  })
  const { data } = kit.useJson<{ memories: readonly Memory[] }>(`/life/memories?${query}`)
  if (!data) return <p className="quiet">{t('loading')}</p>
  const { memories } = data
  const last = memories.length === PAGE_LENGTH ? memories.at(-1) : undefined
  if (memories.length === 0 && before === undefined) return <p className="quiet">{t('memory.notFound')}</p>
  return (
    <>
      <ul className="life-memories">
        {memories.map((memory) => (
          <li key={memory.id}>
            <div>
              <p>{memory.content}</p>
              <small className="quiet">
                {t(`type.${memory.type}`)} · <Day iso={memory.updatedAt} language={language} />
                {memory.from && (
                  <>
                    {' · '}
                    <a href={kit.url(`/console/threads/${memory.from.conversation}`)}>{t('memory.from')}</a>
                  </>
                )}
              </small>
            </div>
            <button
              type="button"
              className="button"
              aria-label={t('memory.deleteOne', { content: memory.content })}
              onClick={() => void onForget(memory)}
            >
              {t('memory.delete')}
            </button>
          </li>
        ))}
      </ul>
      {last &&
        (isMore ? (
          <MemoryList kit={kit} language={language} words={words} before={last.id} onForget={onForget} />
        ) : (
          <button type="button" className="button" onClick={() => setMore(true)}>
            {t('more')}
          </button>
        ))}
    </>
  )
}

function Day({ iso, language }: { readonly iso: string; readonly language: string }) {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  return <time dateTime={iso}>{format.format(new Date(iso))}</time>
}

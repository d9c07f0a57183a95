import { useEffect, useState } from 'react'

import { usePage } from '../page-context.ts'
import { Problem } from '../page-parts.tsx'
import type { AddFormProps } from './add-dialog.tsx'
import { usePostingRequest } from './use-posting-request.ts'

type SentPage = { readonly url: string; readonly content: string }

/** A page that the bookmarklet has sent. Any page could send one, so the user is asked. */
export function ReceivedPage({ onAdd }: AddFormProps) {
  const { t } = usePage()
  const { isBusy, error, add } = usePostingRequest(onAdd)
  const page = useSentPage()
  const url = page?.url ?? addressIn(location.hash)
  const addPage = (): void => (page ? add('/jobs/ingest', page) : add('/jobs/import', { url }))
  return (
    <div className="jobs-form">
      <p>{t('add.receivedAsk')}</p>
      <p className="jobs-address">{url}</p>
      <p className="quiet">{page ? t('add.receivedPage') : t('add.receivedAddress')}</p>
      <Problem message={error} />
      <div className="jobs-actions">
        <button type="button" className="button primary" disabled={isBusy || url === ''} onClick={addPage}>
          {isBusy ? t('add.reading') : t('add.submit')}
        </button>
      </div>
    </div>
  )
}

/** Asks the page that has opened this one for its content. */
function useSentPage(): SentPage | undefined {
  const [page, setPage] = useState<SentPage>()
  useEffect(() => {
    const opener = window.opener as Window | null
    if (!opener) return undefined
    const receive = ({ source, origin, data }: MessageEvent<unknown>): void => {
      if (source !== opener || !isSentPage(data) || URL.parse(data.url)?.origin !== origin) return
      // The user decides about the page that is shown: a later one does not take its place.
      setPage((first) => first ?? { url: data.url, content: data.content })
    }
    addEventListener('message', receive)
    // It has no secret, and the opener may be any site.
    opener.postMessage('dragoman-ready', '*')
    return () => removeEventListener('message', receive)
  }, [])
  return page
}

function addressIn(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}

function isSentPage(data: unknown): data is SentPage {
  return (
    typeof data === 'object' &&
    data !== null &&
    'url' in data &&
    typeof data.url === 'string' &&
    'content' in data &&
    typeof data.content === 'string'
  )
}

import type { AssistantPart } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'

type Source = Extract<AssistantPart, { type: 'source' }>

/** What an answer is based on: links to pages, and names of documents. Each page stands there once. */
export function Sources({ parts }: { readonly parts: readonly AssistantPart[] }) {
  const { t } = useTranslate()
  const sources = new Map(
    parts.flatMap((part) => (part.type === 'source' ? [[part.url ?? part.sourceId, part] as const] : [])),
  )
  if (sources.size === 0) return null
  return (
    <ul className="sources" aria-label={t('message.sources')}>
      {[...sources].map(([key, source]) => (
        <li key={key}>
          <SourceName source={source} />
        </li>
      ))}
    </ul>
  )
}

function SourceName({ source: { url, title, filename, mediaType } }: { readonly source: Source }) {
  const name = title ?? filename ?? url ?? mediaType
  if (url === undefined || !/^https?:\/\//i.test(url)) return <span>{name}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {name}
    </a>
  )
}

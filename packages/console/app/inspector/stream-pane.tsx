import { Play, Scissors } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { VList, type VListHandle } from 'virtua'

import { formatNumber } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { useRawStream, type StreamLine } from './use-raw-stream.ts'
import { serverUrl } from '../api/server-url.ts'

type StreamPaneProps = {
  readonly runId: string
  readonly protocol: { readonly name: string; readonly framing: string }
}

/** A run in one protocol, as its clients get it. */
export function StreamPane({ runId, protocol }: StreamPaneProps) {
  const { t, language } = useTranslate()
  const { lines, bytes, isOpen, cut, resume } = useRawStream(runId, protocol)
  const list = useRef<VListHandle>(null)
  const frames = lines.filter(({ kind }) => kind === 'frame').length
  useEffect(() => {
    if (lines.length > 0) list.current?.scrollToIndex(lines.length - 1, { align: 'end' })
  }, [lines.length])
  const curl = `curl -N '${location.origin}${serverUrl(`/v1/runs/${runId}`)}/events?protocol=${protocol.name}'`
  return (
    <section className="pane" aria-label={protocol.name}>
      <header>
        <h3>{protocol.name}</h3>
        <span className="quiet">
          {t('inspector.frames', {
            frames: formatNumber(frames, language),
            bytes: formatNumber(bytes, language),
          })}
        </span>
        <CopyButton text={curl} label={t('inspector.copyCurl')} />
        <button type="button" className="button" onClick={isOpen ? cut : resume}>
          {isOpen ? <Scissors size={15} aria-hidden /> : <Play size={15} aria-hidden />}
          {isOpen ? t('inspector.cut') : t('inspector.resume')}
        </button>
      </header>
      <VList ref={list} className="pane-lines" tabIndex={0}>
        {lines.map((line, index) => (
          <PaneLine key={keyOf(line, index)} line={line} />
        ))}
      </VList>
    </section>
  )
}

/** Lines are only ever added. */
function keyOf({ kind }: StreamLine, index: number): string {
  return `${kind} ${index}`
}

function PaneLine({ line }: { readonly line: StreamLine }) {
  const { t } = useTranslate()
  switch (line.kind) {
    case 'frame':
      return <pre>{line.text}</pre>
    case 'error':
      return <p className="pane-event">{line.message}</p>
    case 'ended':
      return <p className="pane-event">{t('inspector.streamEnded')}</p>
    case 'cut':
    case 'resumed':
      return (
        <p className="pane-event">
          {line.after === undefined
            ? t(`inspector.${line.kind}AtStart`)
            : t(`inspector.${line.kind}After`, { cursor: line.after })}
        </p>
      )
  }
}

import { useEffect, useState } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import { isDark } from '../ui/theme.ts'
import { drawDiagram, type Diagram as Drawn } from './draw-diagram.ts'

type DiagramProps = {
  /** In the language of Mermaid. */
  readonly source: string
  /** Called with the reason if it cannot be drawn. */
  readonly onFailure: (reason: string) => void
}

type Picture = Exclude<Drawn, { reason: string }> & { readonly theme: 'default' | 'dark' }

/** A diagram as a picture. */
export function Diagram({ source, onFailure }: DiagramProps) {
  const { t } = useTranslate()
  const [drawn, setDrawn] = useState<Picture>()
  useEffect(() => {
    const replaced = new AbortController()
    const theme = isDark() ? 'dark' : 'default'
    const show = async (): Promise<void> => {
      const diagram = await drawDiagram({ source, theme }, replaced.signal)
      if (replaced.signal.aborted || !diagram) return
      if ('reason' in diagram) onFailure(diagram.reason)
      else setDrawn({ ...diagram, theme })
    }
    void show()
    return () => replaced.abort()
  }, [source, onFailure])
  if (!drawn) return <p className="quiet code-view">{t('markdown.drawing')}</p>
  const { url, width, height, theme } = drawn
  return (
    <div className={`code-view diagram ${theme}`} tabIndex={0}>
      <img src={url} width={width} height={height} alt={source} />
    </div>
  )
}

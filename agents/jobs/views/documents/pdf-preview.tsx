import { useEffect, useRef, useState } from 'react'
import type { PDFDocumentProxy } from 'unpdf/pdfjs'

import { Choice } from '../choice.tsx'
import { usePage } from '../page-context.ts'
import { Problem } from '../page-parts.tsx'

const TEMPLATES = ['classic', 'modern', 'compact'] as const

type PdfPreviewProps = {
  /** The resource, whose files are at `/pdf` and `/docx`. */
  readonly path: string
  readonly query?: string
}

/** The pages of a document as they will be printed, and its files. */
export function PdfPreview({ path, query = '' }: PdfPreviewProps) {
  const { t, kit } = usePage()
  const [template, setTemplate] = useState<(typeof TEMPLATES)[number]>('classic')
  const [paper, setPaper] = useState<'a4' | 'letter'>('a4')
  const options = `${query}${query === '' ? '' : '&'}template=${template}&paper=${paper}`
  const { pages, error } = usePdf(`${path}/pdf?${options}`)
  return (
    <div className="jobs-document">
      <div className="jobs-actions">
        <Choice
          label={t('document.template')}
          isLabelHidden
          value={template}
          options={TEMPLATES.map((name) => [name, t(`document.${name}`)])}
          onChange={setTemplate}
        />
        <Choice
          label={t('document.paper')}
          isLabelHidden
          value={paper}
          options={[
            ['a4', 'A4'],
            ['letter', t('document.letter')],
          ]}
          onChange={setPaper}
        />
        <a className="button primary" href={kit.url(`${path}/pdf?${options}`)} download>
          {t('document.pdf')}
        </a>
        <a className="button" href={kit.url(`${path}/docx?${options}`)} download>
          {t('document.docx')}
        </a>
      </div>
      <Problem message={error} />
      {pages.map((number) => (
        <PdfPage key={`${options} ${number.index}`} pdf={number.pdf} index={number.index} />
      ))}
    </div>
  )
}

type Page = { readonly pdf: PDFDocumentProxy; readonly index: number }

/** Loads a PDF. While another one loads, the pages of the last one stay. */
function usePdf(path: string) {
  const { kit } = usePage()
  const [pages, setPages] = useState<readonly Page[]>([])
  const [error, setError] = useState<string>()
  useEffect(() => {
    const controller = new AbortController()
    const load = async (): Promise<void> => {
      const response = await kit.send(path, { signal: controller.signal })
      const { getDocumentProxy } = await import('unpdf')
      const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()))
      if (controller.signal.aborted) return
      setPages(Array.from({ length: pdf.numPages }, (_none, index) => ({ pdf, index })))
      setError(undefined)
    }
    load().catch((cause: unknown) => {
      if (!controller.signal.aborted) setError(cause instanceof Error ? cause.message : String(cause))
    })
    return () => controller.abort()
  }, [kit, path])
  return { pages, error }
}

/** CSS pixels are larger than the pixels of most screens. */
const SCALE = 2

function PdfPage({ pdf, index }: Page) {
  const { t } = usePage()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    let cancel = (): void => undefined
    const draw = async (): Promise<void> => {
      const page = await pdf.getPage(index + 1)
      const viewport = page.getViewport({ scale: SCALE })
      element.width = viewport.width
      element.height = viewport.height
      const task = page.render({ canvas: element, viewport })
      cancel = () => task.cancel()
      await task.promise
    }
    draw().catch(() => undefined)
    return () => cancel()
  }, [pdf, index])
  const name = t('document.page', { page: index + 1, count: pdf.numPages })
  return <canvas className="jobs-pdf-page" ref={canvas} role="img" aria-label={name} />
}

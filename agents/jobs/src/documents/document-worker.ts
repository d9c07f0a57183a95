import { serveWorker } from 'dragoman/isolate'
import { drawDocx } from './draw-docx.ts'
import { toResume } from './to-resume.ts'
import { readBlocks } from './read-blocks.ts'
import type { Drawing, DrawOptions } from './drawing.ts'
import { drawPdf } from './draw-pdf.ts'

/**
 * The thread on which documents are made: it takes a quarter of a second, and a stranger's resume may be made to take
 * longer.
 */

export type DocumentRequest = {
  readonly kind: 'pdf' | 'docx'
  readonly markdown: string
  readonly look: DrawOptions
}

serveWorker<DocumentRequest, Drawing>(
  ({ kind, markdown, look }) => {
    const resume = toResume(readBlocks(markdown))
    return kind === 'pdf' ? drawPdf(resume, look) : drawDocx(resume, look)
  },
  ({ bytes }) => [bytes.buffer],
)

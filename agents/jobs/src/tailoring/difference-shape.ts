import { z } from 'zod'

const op = z.enum(['same', 'added', 'removed'])
const piece = z.object({ op, text: z.string() }).readonly()
const lineShape = z
  .object({
    op,
    text: z.string(),
    words: z.array(piece).readonly().exactOptional().describe('Of a line that was changed: its parts.'),
  })
  .readonly()
export type DifferenceLine = z.infer<typeof lineShape>
export type Piece = z.infer<typeof piece>

export const differenceShape = z
  .object({
    added: z.int(),
    removed: z.int(),
    sections: z.array(z.string()).readonly().describe('The headings under which something differs.'),
    lines: z.array(lineShape).readonly(),
    omitted: z.int().exactOptional().describe('Further lines, of texts that are no resumes.'),
  })
  .readonly()
/** How one text becomes another, line by line, and in a changed line word by word. */
export type Difference = z.infer<typeof differenceShape>
